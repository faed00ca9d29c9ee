package org.terrace.scaling.economy;

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
 * allows for the choice: the differences of all pairs of configurations hold jointly under all
 * loads of the day (Bonferroni), and their ends add up over its steps, since steps of one load err
 * together. Nor is it known that the best single one was found: whichever it is, the day earns more
 * than it by no less, and no more, than the least of its differences from all single ones.
 *
 * @param perDay the difference, starts of servers subtracted
 * @param low the lower end of its 95 % interval: the least of those of the differences from each
 *     single one; null where no trial like one that they rest on was repeated
 * @param high the upper end, likewise the least
 * @param repeats the fewest trials of a cell that it rests on
 * @param configurations the configurations that could be chosen
 * @param loads the loads of the day
 * @param doubtful whether trials of a cell that it rests on failed, so that what was measured may
 *     be what it survived
 */
public record DayGain(
    double perDay,
    @Nullable Double low,
    @Nullable Double high,
    int repeats,
    int configurations,
    int loads,
    boolean doubtful) {
  private static final double HOUR_MINUTES = 60;

  /** Whether there is a gain, beyond chance and whatever made trials fail. */
  public boolean told() {
    return !doubtful && low != null && low > 0;
  }

  /** A configuration that a day runs under a load. */
  private record Run(int users, Configuration configuration) {}

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
    double wrong = (1 - ProfitSurface.CONFIDENCE) / loads / LoadChoice.pairs(configurations);
    Map<Run, Map<ProfitCell, Double>> run = new LinkedHashMap<>();
    hours
        .keySet()
        .forEach(each -> run.put(each, parts(surface.of(each.configuration()), each.users())));
    Set<ProfitCell> cells = new LinkedHashSet<>();
    run.values().forEach(each -> cells.addAll(each.keySet()));
    double least = Double.POSITIVE_INFINITY;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    for (Map.Entry<Configuration, Double> alone : fixed.entrySet()) {
      NavigableMap<Integer, ProfitCell> row = surface.of(alone.getKey());
      double reach = 0;
      for (Map.Entry<Run, Double> each : hours.entrySet()) {
        if (!each.getKey().configuration().equals(alone.getKey())) {
          Map<ProfitCell, Double> other = parts(row, each.getKey().users());
          cells.addAll(other.keySet());
          Map<ProfitCell, Double> weights = new LinkedHashMap<>();
          run.getOrDefault(each.getKey(), Map.of())
              .forEach((cell, part) -> weights.put(cell, part * each.getValue()));
          other.forEach((cell, part) -> weights.put(cell, -part * each.getValue()));
          Interval difference = surface.combination(weights, 1 - wrong);
          reach += difference == null ? 0 : difference.high() - difference.estimate();
        }
      }
      double more = profit - alone.getValue();
      least = Math.min(least, more);
      low = Math.min(low, more - reach);
      high = Math.min(high, more + reach);
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
        cells.stream().anyMatch(cell -> cell.failed().any()));
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
