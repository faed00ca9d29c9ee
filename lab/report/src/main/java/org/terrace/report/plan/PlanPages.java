package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.study.DataTable.Column;
import org.terrace.report.page.Quantity;
import org.terrace.report.plan.HeatMap.Row;
import org.terrace.report.plan.HeatMap.Tone;
import org.terrace.report.plan.PlanPage.KeyFigure;
import org.terrace.report.plan.PlanPage.Section;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.BreakEven;
import org.terrace.scaling.economy.DayPlan;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.SearchAnswer;

/** Makes the page of a plan. Stateless. */
public final class PlanPages {
  /** Configurations that a page shows. */
  private static final int MOST_ROWS = 60;

  private PlanPages() {}

  /** The page of a plan. */
  public static PlanPage of(PlannedMesh planned) {
    Plan plan = planned.plan();
    ConfigurationNames names = planned.names();
    List<Section> sections = new ArrayList<>();
    sections.add(best(plan, names));
    SearchAnswer search = planned.search();
    if (search != null) {
      sections.add(search(search, names));
    }
    sections.add(surface(planned));
    sections.add(
        new Section(
            "figures",
            "Figures",
            "Profit, throughput, utilisation",
            "Bands are 95 % intervals from repeats. A law of scalability is drawn over what was"
                + " measured, and decides nothing.",
            List.of(),
            PlanFigures.of(planned),
            List.of()));
    sections.add(BottleneckSection.of(planned, shown(planned)));
    DayPlan day = plan.day();
    if (day != null) {
      sections.add(day(day, plan, names));
    }
    sections.add(AssumptionsSection.of(planned));
    return new PlanPage(
        planned.mesh().name(),
        PlanWords.headline(plan, names),
        basis(planned),
        figures(planned),
        sections);
  }

  private static Section search(SearchAnswer answer, ConfigurationNames names) {
    List<String> sentences = SearchWords.sentences(answer, names);
    DataTable found =
        new DataTable(
            "Found",
            List.of(Column.of("Finding")),
            sentences.stream().skip(1).map(each -> List.of(Cell.of(each))).toList(),
            "A search says what was best of what it tried. The prices are those of the mesh itself,"
                + " whatever this plan is priced with.");
    return new Section(
        "search",
        "Search",
        "What the mesh was asked for",
        sentences.getFirst(),
        List.of(),
        List.of(),
        List.of(found));
  }

  private static String basis(PlannedMesh planned) {
    return String.format(
            Locale.ROOT,
            "%s of %s under %s; prices: %s. Profit is revenue less penalty"
                + " less the price of servers, per hour.",
            Quantity.count(planned.mesh().done().size(), "trial"),
            Quantity.count(planned.mesh().configurations().size(), "configuration"),
            Quantity.count(planned.mesh().loads().size(), "load"),
            planned.priceSource())
        + further(planned.names().note())
        + further(PlanWords.missing(planned.mesh(), planned.search()))
        + further(PlanWords.unknownClasses(planned))
        + further(FailureWords.count(planned.plan()))
        + further(AttemptWords.count(planned.mesh().trials()));
  }

  private static String further(String sentence) {
    return sentence.isEmpty() ? "" : " " + sentence;
  }

  private static List<KeyFigure> figures(PlannedMesh planned) {
    Plan plan = planned.plan();
    String currency = plan.prices().currency();
    ProfitCell profit = plan.highestProfit();
    ProfitCell revenue = plan.highestRevenue();
    List<BreakEven> stretches = plan.bestBreakEven();
    long lost =
        planned.mesh().trials().stream()
            .filter(trial -> trial.status() != MeshTrial.Status.DONE)
            .count();
    return List.of(
        new KeyFigure(
            "Highest profit",
            PlanWords.money(profit.profitPerHour()),
            currency + " an hour at " + PlanWords.load(profit.workload(), plan)),
        new KeyFigure(
            "Highest revenue of the best",
            PlanWords.money(revenue.revenuePerHour()),
            currency + " an hour at " + PlanWords.load(revenue.workload(), plan)),
        new KeyFigure(
            "Break-even",
            stretches.isEmpty() ? "none" : users(Math.round(stretches.getFirst().fromUsers())),
            stretches.isEmpty()
                ? "money is lost at every load"
                : "users" + fewer(stretches.getFirst())),
        new KeyFigure(
            "Success", percent(profit.successShare()), "within the threshold, at highest profit"),
        new KeyFigure("Trials", users(planned.mesh().done().size()), lost + " failed or left out"));
  }

  private static String fewer(BreakEven first) {
    return first.measuredFrom()
        ? ""
        : first.failedBelow() == null
            ? ", or fewer"
            : ", trials failed at " + users(first.failedBelow());
  }

  private static Section best(Plan plan, ConfigurationNames names) {
    String currency = plan.prices().currency();
    List<List<Cell>> rows = new ArrayList<>();
    for (LoadChoice choice : plan.choices()) {
      ProfitCell best = choice.best();
      rows.add(
          List.of(
              Cell.of(users(choice.users()) + PlanWords.varied(choice.load(), plan)),
              Cell.of(PlanWords.best(choice, names)),
              money(best),
              Cell.of(PlanWords.money(best.revenuePerHour())),
              Cell.of(PlanWords.money(best.penaltyPerHour())),
              Cell.of(PlanWords.money(best.costPerHour())),
              Cell.of(percent(best.successShare())),
              Cell.of(PlanWords.tied(choice, names)),
              Cell.of(
                  PlanWords.closest(
                      plan.sensitivities().getOrDefault(choice.load(), List.of()), names))));
    }
    plan.unmeasured()
        .forEach((load, lost) -> {
          List<Cell> row = new ArrayList<>(Collections.nCopies(9, Cell.of("")));
          row.set(0, Cell.of(users(load.users()) + PlanWords.varied(load, plan)));
          row.set(1, Cell.of(FailureWords.none(lost)));
          rows.add(row);
        });
    List<DataTable> tables = new ArrayList<>();
    tables.add(
        new DataTable(
            "Best configuration at each load",
            List.of(
                Column.of("Users"),
                Column.of("Configuration"),
                new Column("Profit", currency + "/h"),
                new Column("Revenue", currency + "/h"),
                new Column("Penalty", currency + "/h"),
                new Column("Servers", currency + "/h"),
                Column.of("Success"),
                Column.of("Cannot be told from it"),
                Column.of("What would change it first")),
            rows,
            "The differences of all pairs at a load hold together with 95 % (Bonferroni), those of"
                + " different loads each by themselves. Each price moves alone."));
    tables.addAll(FailureWords.table(plan, names));
    return new Section(
        "best",
        "Best",
        "What to run",
        "The configuration with the highest mean profit at each load.",
        List.of(),
        List.of(),
        tables);
  }

  private static Section surface(PlannedMesh planned) {
    Plan plan = planned.plan();
    double most = plan.cells().stream().mapToDouble(ProfitCell::profitPerHour).max().orElse(0);
    double least = plan.cells().stream().mapToDouble(ProfitCell::profitPerHour).min().orElse(0);
    List<Row> rows = new ArrayList<>();
    List<Configuration> shown = shown(planned);
    ConfigurationNames names = planned.names();
    for (Configuration configuration : shown) {
      List<HeatMap.Cell> cells = new ArrayList<>();
      for (LoadChoice choice : plan.choices()) {
        cells.add(
            Stream.concat(
                    Stream.of(choice.best()), choice.rivals().stream().map(LoadChoice.Rival::cell))
                .filter(cell -> cell.configuration().equals(configuration))
                .findFirst()
                .map(cell -> profit(cell, choice, most, -least))
                .orElse(HeatMap.Cell.EMPTY));
      }
      rows.add(new Row(names.of(configuration), cells));
    }
    HeatMap map =
        new HeatMap(
            "Profit in " + plan.prices().currency() + " an hour",
            "Green earns, red loses; ★ is the best of its load, ≈ cannot be told from it. Below:"
                + " requests within their threshold."
                + left(shown.size(), planned),
            "Configuration",
            plan.choices().stream().map(choice -> PlanWords.load(choice.load(), plan)).toList(),
            rows);
    return new Section(
        "surface",
        "Profit",
        "Profit surface",
        "What each configuration earns under each load.",
        List.of(map),
        List.of(),
        List.of());
  }

  private static HeatMap.Cell profit(
      ProfitCell cell, LoadChoice choice, double most, double worst) {
    boolean gains = cell.profitPerHour() >= 0;
    boolean best = cell.equals(choice.best());
    boolean ties =
        choice.repeated() && choice.ties().stream().anyMatch(rival -> rival.cell().equals(cell));
    return new HeatMap.Cell(
        (ties ? "≈ " : "") + PlanWords.money(cell.profitPerHour()),
        percent(cell.successShare()),
        gains ? Tone.GAIN : Tone.LOSS,
        HeatMap.Cell.step(Math.abs(cell.profitPerHour()), gains ? most : worst),
        best);
  }

  /** The sentence on how many of the configurations are not shown; empty if all are. */
  static String left(int shown, PlannedMesh planned) {
    int all = planned.mesh().configurations().size();
    return shown == all
        ? ""
        : " Shown are "
            + shown
            + " of "
            + all
            + " configurations, first those that are best somewhere; plan.json has all.";
  }

  /** All configurations, or where there are too many for a page, those that matter somewhere. */
  private static List<Configuration> shown(PlannedMesh planned) {
    List<Configuration> all = planned.mesh().configurations();
    if (all.size() <= MOST_ROWS) {
      return all;
    }
    List<Configuration> matter =
        planned.plan().choices().stream()
            .flatMap(choice ->
                Stream.concat(
                    Stream.of(choice.best()),
                    choice.repeated()
                        ? choice.ties().stream().map(LoadChoice.Rival::cell)
                        : Stream.empty()))
            .map(ProfitCell::configuration)
            .distinct()
            .limit(MOST_ROWS)
            .toList();
    return all.stream().filter(matter::contains).toList();
  }

  private static Section day(DayPlan day, Plan plan, ConfigurationNames names) {
    List<List<Cell>> rows = new ArrayList<>();
    for (DayPlan.Step step : day.steps()) {
      rows.add(
          List.of(
              Cell.of(PlanWords.time(step.minute())),
              Cell.of(users(step.users())),
              Cell.of(names.of(step.configuration())),
              Cell.of(PlanWords.money(step.profitPerHour())),
              Cell.of(Integer.toString(step.started()))));
    }
    DataTable table =
        new DataTable(
            "Over a day",
            List.of(
                Column.of("From"),
                Column.of("Users"),
                Column.of("Configuration"),
                new Column("Profit", plan.prices().currency() + "/h"),
                Column.of("Servers started")),
            rows,
            String.join(" ", DayWords.sentences(day, names)));
    return new Section(
        "day",
        "Day",
        "Which configuration when",
        DayWords.profit(day, plan.prices().currency(), names)
            + further(DayWords.gain(day, plan.prices().currency(), names)),
        List.of(),
        List.of(),
        List.of(table));
  }

  private static Cell money(ProfitCell cell) {
    String interval = PlanWords.interval(cell);
    return Cell.of(
        PlanWords.money(cell.profitPerHour()) + (interval.isEmpty() ? "" : " (" + interval + ")"));
  }

  static String users(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
