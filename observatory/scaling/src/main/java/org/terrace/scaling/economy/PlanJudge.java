package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Judgement.Verdict;

/**
 * The judge of statements about what configurations earn. Intervals are those of the plan, which
 * come from repeats and hold with 95 % confidence. Stateless.
 */
public final class PlanJudge {
  /** A factor on a price within which a change of the best configuration is a strong dependence. */
  public static final double STRONG = 2;

  private PlanJudge() {}

  /** Whether profit is highest under a lower load than revenue, among the best at each load. */
  public static Judgement profitPeaksBeforeRevenue(Plan plan) {
    String rule =
        "holds if the highest profit is at a lower load than the highest revenue and the profits of"
            + " both differ by whole intervals; not if it is at the same or a higher load and no"
            + " lower load's interval reaches it";
    ProfitCell profit = plan.highestProfit();
    ProfitCell revenue = plan.highestRevenue();
    ProfitCell there = best(plan, revenue.users());
    String measured =
        "profit %s; revenue highest at %d users: %s"
            .formatted(words(profit), revenue.users(), words(there));
    Double low = profit.low();
    if (low == null) {
      return Judgement.cannotTell(measured, rule);
    }
    Verdict verdict;
    if (profit.users() < revenue.users()) {
      Double high = there.high();
      verdict = high != null && low > high ? Verdict.HOLDS : Verdict.CANNOT_TELL;
    } else {
      boolean alone =
          plan.choices().stream()
              .filter(choice -> choice.users() < revenue.users())
              .map(LoadChoice::best)
              .allMatch(best -> best.high() != null && best.high() < low);
      verdict = alone ? Verdict.FAILS : Verdict.CANNOT_TELL;
    }
    return new Judgement(verdict, measured, rule);
  }

  /** Whether different loads have different best configurations. */
  public static Judgement bestDependsOnLoad(Plan plan) {
    String rule =
        "holds if the best configuration of some load earns less than that of another load, there,"
            + " by the whole interval; not if one configuration is best, or cannot be told from the"
            + " best, at every load";
    List<String> said = new ArrayList<>();
    boolean apart = false;
    for (LoadChoice choice : plan.choices()) {
      said.add("%d users: %s".formatted(choice.users(), words(choice.best())));
      for (LoadChoice other : plan.choices()) {
        apart |= beats(choice, other.best().configuration());
      }
    }
    boolean repeated = plan.choices().stream().anyMatch(LoadChoice::repeated);
    boolean single = common(plan);
    Verdict verdict =
        !repeated || plan.choices().size() < 2
            ? Verdict.CANNOT_TELL
            : apart ? Verdict.HOLDS : single ? Verdict.FAILS : Verdict.CANNOT_TELL;
    return new Judgement(verdict, String.join("; ", said), rule);
  }

  /** Whether prices and agreements decide which configuration is best. */
  public static Judgement bestDependsOnModel(Plan plan) {
    String rule =
        "holds if at some load another configuration, which now earns less by the whole interval, is"
            + " best once a price is at most halved or doubled, or once all thresholds are; not if"
            + " none is at any load";
    List<String> told = new ArrayList<>();
    int untold = 0;
    for (LoadChoice choice : plan.choices()) {
      for (Change each : changes(plan, choice)) {
        if (choice.repeated() && beats(choice, each.best())) {
          told.add(
              String.format(
                  Locale.ROOT,
                  "at %d users %s times %.2f makes %s the best",
                  choice.users(),
                  each.parameter(),
                  each.factor(),
                  each.best().label()));
        } else {
          untold++;
        }
      }
    }
    boolean repeated = plan.choices().stream().anyMatch(LoadChoice::repeated);
    Verdict verdict =
        plan.choices().size() < 2 || !repeated
            ? Verdict.CANNOT_TELL
            : !told.isEmpty() ? Verdict.HOLDS : untold > 0 ? Verdict.CANNOT_TELL : Verdict.FAILS;
    return new Judgement(
        verdict,
        "%d changes within the factors at %d loads%s%s"
            .formatted(
                told.size(),
                plan.choices().size(),
                told.isEmpty()
                    ? ""
                    : ": " + String.join("; ", told.subList(0, Math.min(3, told.size()))),
                untold == 0
                    ? ""
                    : "; %d more to configurations that cannot be told from the best now"
                        .formatted(untold)),
        rule);
  }

  /** A configuration that is the best once something is so many times as much. */
  private record Change(String parameter, double factor, Configuration best) {}

  private static List<Change> changes(Plan plan, LoadChoice choice) {
    List<Change> changes = new ArrayList<>();
    for (Sensitivity each : plan.sensitivities().getOrDefault(choice.users(), List.of())) {
      if (each.below() != null && each.lowFactor() >= 1 / STRONG) {
        changes.add(new Change(each.parameter(), each.lowFactor(), each.below()));
      }
      if (each.above() != null && each.highFactor() <= STRONG) {
        changes.add(new Change(each.parameter(), each.highFactor(), each.above()));
      }
    }
    for (var each : plan.thresholds().getOrDefault(choice.users(), List.of())) {
      if (!each.best().equals(choice.best().configuration())) {
        changes.add(new Change("thresholds", each.factor(), each.best()));
      }
    }
    return changes;
  }

  private static boolean beats(LoadChoice choice, Configuration configuration) {
    return choice.rivals().stream()
        .anyMatch(rival -> rival.cell().configuration().equals(configuration) && !rival.ties());
  }

  /** Whether one configuration is the best, or not told from it, at every load. */
  private static boolean common(Plan plan) {
    return plan.choices().getFirst().ties().stream()
            .map(rival -> rival.cell().configuration())
            .anyMatch(configuration -> isNowhereBehind(plan, configuration))
        || isNowhereBehind(plan, plan.choices().getFirst().best().configuration());
  }

  private static boolean isNowhereBehind(Plan plan, Configuration configuration) {
    return plan.choices().stream()
        .allMatch(choice ->
            choice.best().configuration().equals(configuration)
                || choice.ties().stream()
                    .anyMatch(tie -> tie.cell().configuration().equals(configuration)));
  }

  private static ProfitCell best(Plan plan, int users) {
    return plan.choices().stream()
        .filter(choice -> choice.users() == users)
        .map(LoadChoice::best)
        .findFirst()
        .orElseThrow();
  }

  private static String words(ProfitCell cell) {
    return String.format(
        Locale.ROOT,
        "%.3f an hour (%s, n = %d) of %s at %d users",
        cell.profitPerHour(),
        interval(cell.low(), cell.high()),
        cell.repeats(),
        cell.configuration().label(),
        cell.users());
  }

  private static String interval(@Nullable Double low, @Nullable Double high) {
    return low == null || high == null
        ? "no interval"
        : String.format(Locale.ROOT, "95 %% interval %.3f to %.3f", low, high);
  }
}
