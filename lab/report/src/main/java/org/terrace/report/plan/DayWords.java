package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.terrace.report.page.Quantity;
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
    return day.fixed() == null
        ? ""
        : String.format(
            Locale.ROOT,
            "A day that changes so earns %s %s; with %s all day it is %s.",
            PlanWords.money(day.profitPerDay()),
            currency,
            names.of(day.fixed()),
            PlanWords.money(day.fixedProfitPerDay()));
  }

  /**
   * The gain of a day over the best single configuration, as sentences.
   *
   * @return empty where one configuration runs all day
   */
  public static String gain(DayPlan day, String currency) {
    DayGain gain = day.gain();
    if (gain == null) {
      return "";
    }
    String more = PlanWords.money(gain.perDay()) + " " + currency + " a day";
    Double low = gain.low();
    Double high = gain.high();
    if (low == null || high == null) {
      return "That a day that changes earns more cannot be told: a load of it was not repeated, nor any like it, so the"
          + " difference of "
          + more
          + " has no interval.";
    }
    return String.format(
        Locale.ROOT,
        "%s: the difference is %s (95 %% interval %s to %s, at least n = %d), with the choice among"
            + " %s under %s allowed for%s.",
        gain.told()
            ? "A day that changes earns more"
            : "That a day that changes earns more cannot be told",
        more,
        PlanWords.money(low),
        PlanWords.money(high),
        gain.repeats(),
        Quantity.count(gain.configurations(), "configuration"),
        Quantity.count(gain.loads(), "load"),
        gain.doubtful() ? ", and trials of what runs then failed" : "");
  }

  /** The configurations that the day was not planned with and why, and what was not measured. */
  public static List<String> sentences(DayPlan day, ConfigurationNames names) {
    List<String> sentences = new ArrayList<>();
    if (!day.untold().isEmpty()) {
      sentences.add(
          "What to run cannot be told, since most trials failed, "
              + day.untold().stream()
                  .map(each ->
                      String.format(
                          Locale.ROOT,
                          "from %s to %s (%,d users)",
                          PlanWords.time(each.minute()),
                          PlanWords.time((each.minute() + each.minutes()) % Prices.DAY_MINUTES),
                          each.users()))
                  .collect(Collectors.joining(", "))
              + (day.steps().isEmpty() ? "." : ": the amounts are those of the other hours."));
    }
    if (day.steps().isEmpty()) {
      return List.copyOf(sentences);
    }
    sentences.add(
        "Between measured loads, and from none to the least measured, income is interpolated as a"
            + " straight line"
            + interpolated(day));
    int most = day.steps().stream().mapToInt(DayPlan.Step::users).max().orElse(0);
    List<DayPlan.LeftOut> unmeasured = leftOut(day, DayPlan.Reason.NOT_MEASURED);
    if (!unmeasured.isEmpty()) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "Left out, since not measured at the %,d users of the day's highest load: %s.",
              most,
              named(
                  unmeasured,
                  each ->
                      String.format(
                          Locale.ROOT,
                          "%s (up to %,d)",
                          names.of(each.configuration()),
                          each.mostUsers()))));
    }
    List<DayPlan.LeftOut> failed = leftOut(day, DayPlan.Reason.FAILED);
    if (!failed.isEmpty()) {
      sentences.add(
          "Left out, since most of its trials failed about a load of the day: "
              + named(failed, each -> names.of(each.configuration()))
              + ".");
    }
    List<DayPlan.LeftOut> poor = leftOut(day, DayPlan.Reason.LESS_PROFITABLE);
    if (!poor.isEmpty()) {
      sentences.add(
          "Left out, since only the most profitable are tried in all orders: "
              + named(poor, each -> names.of(each.configuration()))
              + ".");
    }
    return List.copyOf(sentences);
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

  private static List<DayPlan.LeftOut> leftOut(DayPlan day, DayPlan.Reason reason) {
    return day.leftOut().stream().filter(each -> each.reason() == reason).toList();
  }

  private static String named(List<DayPlan.LeftOut> all, Function<DayPlan.LeftOut, String> name) {
    String named = all.stream().limit(MOST_NAMED).map(name).collect(Collectors.joining(", "));
    int more = all.size() - MOST_NAMED;
    return more > 0 ? named + " and " + Quantity.count(more) + " more" : named;
  }
}
