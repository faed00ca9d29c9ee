package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.terrace.report.page.Quantity;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.economy.DayGain;
import org.terrace.scaling.economy.DayPlan;
import org.terrace.scaling.economy.Prices;

/** The words of a day's plan about what it rests on, for the page and a terminal. Stateless. */
public final class DayWords {
  private static final int MOST_NAMED = 6;

  private DayWords() {}

  /**
   * The profit of a day, that of its best single configuration beside it, as a sentence.
   *
   * @return empty where no hour can be planned
   */
  public static String profit(DayPlan day, String currency, ConfigurationNames names) {
    if (day.steps().isEmpty()) {
      return "";
    }
    Configuration fixed = day.fixed();
    Double alone = day.fixedProfitPerDay();
    String earns =
        "A day that changes so earns " + PlanWords.money(day.profitPerDay()) + " " + currency;
    return fixed == null || alone == null
        ? earns + "; none can run all of it, for none has an income that is known at each load."
        : earns + "; with " + names.of(fixed) + " all day it is " + PlanWords.money(alone) + ".";
  }

  /**
   * The gain of a day over the best single configuration, as sentences.
   *
   * @return empty where one configuration runs all day
   */
  public static String gain(DayPlan day, String currency, ConfigurationNames names) {
    DayGain gain = day.gain();
    if (gain == null) {
      return "";
    }
    String more = PlanWords.money(gain.perDay()) + " " + currency + " a day";
    Double low = gain.low();
    Double high = gain.high();
    if (low == null || high == null) {
      return "That a day that changes earns more cannot be told: a load of it, or of one that"
          + " could run all of it, was not repeated, nor any like it, so the difference of "
          + more
          + " has no interval.";
    }
    return String.format(
        Locale.ROOT,
        "%s: the difference is %s (95 %% interval %s to %s, at least n = %d), with the choice among"
            + " %s under %s allowed for%s",
        gain.told()
            ? "A day that changes earns more"
            : "That a day that changes earns more cannot be told",
        more,
        PlanWords.money(low),
        PlanWords.money(high),
        gain.repeats(),
        Quantity.count(gain.configurations(), "configuration"),
        Quantity.count(gain.loads(), "load"),
        failed(gain, names));
  }

  /** The trials whose failure leaves a gain in doubt. */
  private static String failed(DayGain gain, ConfigurationNames names) {
    String runs = gain.failedRuns() ? ", and trials of what runs then failed" : "";
    return gain.failedAlone().isEmpty()
        ? runs + "."
        : runs
            + ", and trials failed without which one that runs all day might earn as much: those of "
            + named(gain.failedAlone(), names::of);
  }

  /** The configurations that hours were not planned with and why, and what was not measured. */
  public static List<String> sentences(DayPlan day, ConfigurationNames names) {
    List<String> sentences = new ArrayList<>();
    if (!day.untold().isEmpty()) {
      sentences.add(untold(day));
    }
    if (!day.steps().isEmpty()) {
      sentences.add(
          "Between measured loads, and from none to the least measured, income is interpolated as a"
              + " straight line"
              + interpolated(day));
    }
    for (DayPlan.Reason reason : DayPlan.Reason.values()) {
      List<DayPlan.LeftOut> all =
          day.leftOut().stream().filter(each -> each.reason() == reason).toList();
      if (!all.isEmpty()) {
        sentences.add(
            switch (reason) {
              case NOT_MEASURED ->
                  "Left out, since not measured with so many users: "
                      + named(all, each -> leftOut(each, names) + measured(each));
              case FAILED ->
                  "Left out, since most of its trials failed about the load: "
                      + named(all, each -> leftOut(each, names));
              case LESS_PROFITABLE ->
                  "Left out, since only the most profitable are tried in all orders: "
                      + named(all, each -> names.of(each.configuration()));
            });
      }
    }
    return List.copyOf(sentences);
  }

  private static String untold(DayPlan day) {
    List<Integer> loads = day.untold().stream().map(DayPlan.Untold::users).toList();
    boolean untried =
        day.leftOut().stream()
            .filter(each -> each.reason() == DayPlan.Reason.NOT_MEASURED)
            .anyMatch(each -> each.users().stream().anyMatch(loads::contains));
    return "What to run cannot be told, since most trials failed"
        + (untried ? " or none was made, " : ", ")
        + day.untold().stream()
            .map(each ->
                String.format(
                    Locale.ROOT,
                    "from %s to %s (%,d users)",
                    PlanWords.time(each.minute()),
                    PlanWords.time((each.minute() + each.minutes()) % Prices.DAY_MINUTES),
                    each.users()))
            .collect(Collectors.joining(", "))
        + (day.steps().isEmpty() ? "." : ": the amounts are those of the other hours.");
  }

  /** A configuration and the loads of the day under which it is left out. */
  private static String leftOut(DayPlan.LeftOut each, ConfigurationNames names) {
    List<Integer> users = each.users();
    String loads =
        users.size() > MOST_NAMED
            ? String.format(
                Locale.ROOT,
                "%d loads from %,d to %,d",
                users.size(),
                users.getFirst(),
                users.getLast())
            : users.stream()
                .map(load -> String.format(Locale.ROOT, "%,d", load))
                .collect(Collectors.joining(" and "));
    return names.of(each.configuration()) + " at " + loads + " users";
  }

  private static String measured(DayPlan.LeftOut each) {
    return each.mostUsers() == 0
        ? " (not measured at all)"
        : String.format(Locale.ROOT, " (up to %,d)", each.mostUsers());
  }

  private static String interpolated(DayPlan day) {
    List<DayPlan.Step> steps = day.steps().stream().filter(DayPlan.Step::interpolated).toList();
    return steps.isEmpty()
        ? "; each load of this day was measured."
        : ", which is so for what runs "
            + steps.stream()
                .map(step ->
                    String.format(
                        Locale.ROOT,
                        "from %s (%,d users)",
                        PlanWords.time(step.minute()),
                        step.users()))
                .collect(Collectors.joining(", "))
            + ".";
  }

  private static <T> String named(List<T> all, Function<T, String> name) {
    String named = all.stream().limit(MOST_NAMED).map(name).collect(Collectors.joining(", "));
    int more = all.size() - MOST_NAMED;
    return (more > 0 ? named + " and " + Quantity.count(more) + " more" : named) + ".";
  }
}
