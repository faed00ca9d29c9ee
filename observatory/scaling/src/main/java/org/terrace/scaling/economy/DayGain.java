package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.repeats.Interval;

/**
 * The profit by which a day whose configurations change is above that of the best single one.
 * Immutable.
 *
 * <p>Both were chosen after their profits were seen, which sells chance as gain. So the interval
 * allows for the choice, each of its ends by half of the 5 %, and its ends add up over the loads of
 * the day, since steps of one load err together. It is not known that the best single one was
 * found, but it is one of them and does not depend on chance. So for the lower end it is enough
 * that the differences of all others from any one hold jointly under all loads (Bonferroni):
 * whichever it is, the day earns more than it by no less than the least of its differences from all
 * single ones. It earns more by no more than that least either, of which the single one does depend
 * on chance: the upper end allows for all pairs.
 *
 * @param perDay the difference, starts of servers subtracted
 * @param low the lower end of its 95 % interval: the least of those of the differences from each
 *     single one; null where no trial like one that they rest on was repeated
 * @param high the upper end, likewise the least
 * @param repeats the fewest trials of a cell that it rests on
 * @param configurations the configurations that could be chosen
 * @param loads the loads of the day
 * @param failedRuns whether trials failed of what runs then, so that what was measured may be what
 *     it survived
 * @param failedAlone the single ones that might earn as much all day, had those of their trials
 *     that failed earned as much as any trial of their load
 */
public record DayGain(
    double perDay,
    @Nullable Double low,
    @Nullable Double high,
    int repeats,
    int configurations,
    int loads,
    boolean failedRuns,
    List<Configuration> failedAlone) {
  private static final double HOUR_MINUTES = 60;

  /** Copies the list. */
  public DayGain {
    failedAlone = List.copyOf(failedAlone);
  }

  /** Whether trials failed that leave the gain in doubt. */
  public boolean doubtful() {
    return failedRuns || !failedAlone.isEmpty();
  }

  /** Whether there is a gain, beyond chance and whatever made trials fail. */
  public boolean told() {
    return !doubtful() && low != null && low > 0;
  }

  /** A configuration that a day runs under a load. */
  private record Run(int users, Configuration configuration) {}

  /** The confidences of the two ends of a difference. */
  private record Levels(double below, double above) {
    static Levels of(int loads, int configurations) {
      double wrong = (1 - ProfitSurface.CONFIDENCE) / loads;
      return new Levels(
          1 - wrong / Math.max(1, configurations - 1),
          1 - wrong / 2 / LoadChoice.pairs(configurations));
    }
  }

  /**
   * The doubts in a difference of what runs from a single one, in money.
   *
   * @param below the reach of its interval below it; 0 where no trial like one was repeated
   * @param above the reach above it
   * @param failed by how much it is less at most, had the single one's trials not failed
   */
  private record Difference(double below, double above, double failed) {
    static final Difference NONE = new Difference(0, 0, 0);

    static Difference of(
        ProfitSurface surface,
        Map<ProfitCell, Double> runs,
        Map<ProfitCell, Double> alone,
        Levels levels) {
      Map<ProfitCell, Double> weights = new LinkedHashMap<>(runs);
      alone.forEach((cell, part) -> weights.put(cell, -part));
      return new Difference(
          reach(surface.combination(weights, levels.below())),
          reach(surface.combination(weights, levels.above())),
          failed(surface, alone));
    }

    private static double reach(@Nullable Interval difference) {
      return difference == null ? 0 : difference.high() - difference.estimate();
    }

    /** The income per hour that parts of cells lack at most because some of their trials failed. */
    private static double failed(ProfitSurface surface, Map<ProfitCell, Double> parts) {
      double lacks = 0;
      for (Map.Entry<ProfitCell, Double> part : parts.entrySet()) {
        ProfitCell cell = part.getKey();
        double all = cell.repeats() + cell.failed().count();
        double most = surface.mostIncomePerHour(cell.users()) - cell.incomePerHour();
        lacks += part.getValue() * most * cell.failed().count() / all;
      }
      return lacks;
    }

    Difference plus(Difference other, double hours) {
      return new Difference(
          below + hours * other.below, above + hours * other.above, failed + hours * other.failed);
    }
  }

  /**
   * The gain of a day's steps.
   *
   * @param profit the profit of the day's steps, starts of servers subtracted
   * @param fixed the profit of a day with each configuration that can run all of it
   * @param configurations the configurations that could be chosen
   * @return null where one configuration runs all day, or none can
   */
  static @Nullable DayGain of(
      ProfitSurface surface,
      List<DayPlan.Step> steps,
      double profit,
      Map<Configuration, Double> fixed,
      int configurations) {
    Map<Run, Double> hours = new LinkedHashMap<>();
    steps.forEach(step ->
        hours.merge(
            new Run(step.users(), step.configuration()),
            step.minutes() / HOUR_MINUTES,
            Double::sum));
    if (fixed.isEmpty()
        || hours.keySet().stream().map(Run::configuration).distinct().count() == 1) {
      return null;
    }
    int loads = (int) hours.keySet().stream().map(Run::users).distinct().count();
    Levels levels = Levels.of(loads, configurations);
    Map<Run, Map<ProfitCell, Double>> run = new LinkedHashMap<>();
    hours
        .keySet()
        .forEach(each -> run.put(each, parts(surface.of(each.configuration()), each.users())));
    Set<ProfitCell> cells = new LinkedHashSet<>();
    run.values().forEach(each -> cells.addAll(each.keySet()));
    boolean failedRuns = cells.stream().anyMatch(cell -> cell.failed().any());
    List<Configuration> failedAlone = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    for (Map.Entry<Configuration, Double> alone : fixed.entrySet()) {
      NavigableMap<Integer, ProfitCell> row = surface.of(alone.getKey());
      Difference all = Difference.NONE;
      for (Map.Entry<Run, Double> each : hours.entrySet()) {
        if (!each.getKey().configuration().equals(alone.getKey())) {
          Map<ProfitCell, Double> other = parts(row, each.getKey().users());
          cells.addAll(other.keySet());
          Map<ProfitCell, Double> runs = run.getOrDefault(each.getKey(), Map.of());
          all = all.plus(Difference.of(surface, runs, other, levels), each.getValue());
        }
      }
      double more = profit - alone.getValue();
      least = Math.min(least, more);
      low = Math.min(low, more - all.below());
      high = Math.min(high, more + all.above());
      if (all.failed() > 0 && more - all.below() <= all.failed()) {
        failedAlone.add(alone.getKey());
      }
    }
    // A load without users rests on no cell, and says nothing of whether those of others do.
    boolean repeated = cells.stream().allMatch(cell -> cell.low() != null);
    return new DayGain(
        least,
        repeated ? low : null,
        repeated ? high : null,
        cells.stream().mapToInt(ProfitCell::repeats).min().orElse(0),
        configurations,
        loads,
        failedRuns,
        failedAlone);
  }

  /**
   * The income under a load as parts of that of measured cells: on the line between the loads
   * beside it, and from no users and no income up to the least.
   *
   * @param row the cells of a configuration, by load
   */
  static Map<ProfitCell, Double> parts(NavigableMap<Integer, ProfitCell> row, int users) {
    Map.Entry<Integer, ProfitCell> below = row.floorEntry(users);
    Map.Entry<Integer, ProfitCell> above = row.ceilingEntry(users);
    if (above == null) {
      throw new IllegalStateException("the load was not measured");
    }
    double from = below == null ? 0 : below.getKey();
    double span = above.getKey() - from;
    double part = span == 0 ? 1 : (users - from) / span;
    Map<ProfitCell, Double> parts = new LinkedHashMap<>();
    if (below != null && part < 1) {
      parts.put(below.getValue(), 1 - part);
    }
    if (part > 0) {
      parts.put(above.getValue(), part);
    }
    return parts;
  }
}
