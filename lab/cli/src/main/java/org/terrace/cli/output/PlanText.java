package org.terrace.cli.output;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.terrace.report.plan.AttemptWords;
import org.terrace.report.plan.DayWords;
import org.terrace.report.plan.FailureWords;
import org.terrace.report.plan.PlanWords;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.report.plan.SearchWords;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.economy.DayPlan;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.Workload;

/** A plan as text for a terminal. Stateless. */
public final class PlanText {
  private static final String ROW = "%10s  %-32s %12s  %-24s %8s  %s%n";

  private PlanText() {}

  /** The lines of a plan, the loads first. */
  public static String of(PlannedMesh planned) {
    Plan plan = planned.plan();
    ConfigurationNames names = planned.names();
    StringBuilder text = new StringBuilder();
    rows(plan, names, text);
    if (!names.note().isEmpty()) {
      line(text, "%n%s%n", names.note());
    }
    line(text, "%n%s%n", PlanWords.headline(plan, names));
    LoadChoice last = plan.choices().getLast();
    MappedCell cell = planned.map().at(last.best().configuration(), last.users());
    if (cell != null) {
      Bottleneck bottleneck = cell.bottleneck();
      line(
          text,
          "At %,d users %s has the bottleneck %s (%s).%n",
          last.users(),
          names.of(last.best().configuration()),
          bottleneck.words(),
          bottleneck.kind().sentence());
    }
    line(
        text,
        "What would change the choice there first: %s.%n",
        PlanWords.closest(plan.sensitivities().getOrDefault(last.load(), List.of()), names));
    basis(planned, text);
    DayPlan day = plan.day();
    if (day != null) {
      day(day, plan, names, text);
    }
    return text.toString();
  }

  /** The best configuration at each load, and the loads at which none was measured. */
  private static void rows(Plan plan, ConfigurationNames names, StringBuilder text) {
    line(
        text,
        ROW,
        "users",
        "best configuration",
        plan.prices().currency() + "/h",
        "95 % interval",
        "success",
        "cannot be told from it");
    for (LoadChoice choice : plan.choices()) {
      ProfitCell best = choice.best();
      String interval = PlanWords.interval(best);
      line(
          text,
          ROW,
          users(choice.load(), plan),
          PlanWords.best(choice, names),
          PlanWords.money(best.profitPerHour()),
          interval.isEmpty() ? "none: one repeat" : interval,
          String.format(Locale.ROOT, "%.1f %%", 100 * best.successShare()),
          PlanWords.tied(choice, names));
    }
    plan.unmeasured()
        .forEach((load, lost) ->
            line(text, ROW, users(load, plan), FailureWords.none(lost), "", "", "", ""));
  }

  /** The users of a load, and what they ask for where that is varied, in a column's width. */
  private static String users(Workload load, Plan plan) {
    int width =
        Stream.concat(
                plan.choices().stream().map(LoadChoice::load),
                plan.unmeasured().navigableKeySet().stream())
            .mapToInt(each -> PlanWords.varied(each, plan).length())
            .max()
            .orElse(0);
    String varied = PlanWords.varied(load, plan);
    return String.format(Locale.ROOT, "%,d", load.users())
        + varied
        + " ".repeat(width - varied.length());
  }

  /** The trials that the plan rests on, and those that are missing. */
  private static void basis(PlannedMesh planned, StringBuilder text) {
    SearchAnswer search = planned.search();
    if (search != null) {
      line(text, "%s%n", SearchWords.effort(search));
    }
    String unknown = PlanWords.unknownClasses(planned);
    if (!unknown.isEmpty()) {
      line(text, "%s%n", unknown);
    }
    String missing = PlanWords.missing(planned.mesh(), search);
    if (!missing.isEmpty()) {
      line(text, "%s%n", missing);
    }
    FailureWords.sentences(planned.plan(), planned.names())
        .forEach(each -> line(text, "%s%n", each));
    AttemptWords.sentences(planned.mesh().trials(), planned.names())
        .forEach(each -> line(text, "%s%n", each));
  }

  private static void day(DayPlan day, Plan plan, ConfigurationNames names, StringBuilder text) {
    line(text, "%nOver a day:%n");
    for (DayPlan.Step step : day.steps()) {
      line(
          text,
          "  %s  %,8d users  %s%n",
          PlanWords.time(step.minute()),
          step.users(),
          names.of(step.configuration()));
    }
    String profit = DayWords.profit(day, plan.prices().currency(), names);
    if (!profit.isEmpty()) {
      line(text, "  %s%n", profit);
    }
    String gain = DayWords.gain(day, plan.prices().currency(), names);
    if (!gain.isEmpty()) {
      line(text, "  %s%n", gain);
    }
    DayWords.sentences(day, names).forEach(each -> line(text, "  %s%n", each));
  }

  @FormatMethod
  private static void line(StringBuilder text, @FormatString String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
