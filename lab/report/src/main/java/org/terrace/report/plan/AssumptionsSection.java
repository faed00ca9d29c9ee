package org.terrace.report.plan;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.report.plan.PlanPage.Section;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Terms;

/** The section of a plan's page with the prices and rules that it rests on. Stateless. */
final class AssumptionsSection {
  private AssumptionsSection() {}

  static Section of(PlannedMesh planned) {
    Plan plan = planned.plan();
    List<List<Cell>> prices = new ArrayList<>();
    plan.prices()
        .serverHour()
        .forEach((type, price) ->
            prices.add(
                List.of(
                    Cell.of("a server of type " + type + " for an hour"), Cell.of(price(price)))));
    List<String> unknown = planned.unknownClasses();
    plan.prices()
        .classes()
        .forEach((name, terms) ->
            terms(
                "a request " + name + (unknown.contains(name) ? ", of which no trial has any" : ""),
                terms,
                prices));
    Terms others = plan.prices().others();
    if (others != null) {
      terms("any other request", others, prices);
    }
    prices.add(
        List.of(Cell.of("a server that starts"), Cell.of(price(plan.prices().serverStart()))));
    SaturationRules rules = planned.map().rules();
    List<List<Cell>> numbers =
        List.of(
            List.of(
                Cell.of("a sample is saturated from"),
                Cell.of(PlanPages.percent(rules.saturated()))),
            List.of(Cell.of("a resource is full from"), Cell.of(PlanPages.percent(rules.full()))),
            List.of(Cell.of("and partial from"), Cell.of(PlanPages.percent(rules.partial()))),
            List.of(
                Cell.of("resources count together from"),
                Cell.of(PlanPages.percent(rules.union()))),
            List.of(Cell.of("they depend below p ="), Cell.of(rules.level())),
            List.of(
                Cell.of("throughput grows no more below, of its first slope,"),
                Cell.of(PlanPages.percent(rules.plateau()))));
    return new Section(
        "assumptions",
        "Assumptions",
        "What this rests on",
        "Change the prices and run terrace plan "
            + Objects.toString(planned.directory().getFileName(), ".")
            + " --prices FILE: no trial is run again.",
        List.of(),
        List.of(),
        List.of(
            new DataTable(
                "Prices, in " + plan.prices().currency(),
                List.of(Column.of("What"), Column.of("Price")),
                prices,
                planned.priceSource()),
            new DataTable(
                "Rules of bottlenecks",
                List.of(Column.of("Rule"), Column.of("Number")),
                numbers,
                "The papers give words without numbers: these are the project's.")));
  }

  /** A price: two places, and as many more as it has. */
  private static String price(double price) {
    return new DecimalFormat("#,##0.00##########", DecimalFormatSymbols.getInstance(Locale.ROOT))
        .format(price);
  }

  private static void terms(String what, Terms terms, List<List<Cell>> rows) {
    rows.add(
        List.of(
            Cell.of(what),
            Cell.of(
                String.format(
                    Locale.ROOT,
                    "%s within %s ms, else -%s",
                    Double.toString(terms.revenue()),
                    PlanWords.money(terms.thresholdMillis()),
                    Double.toString(terms.penalty())))));
  }
}
