package org.terrace.scaling.economy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
 * together.
 *
 * @param perDay the difference, starts of servers subtracted
 * @param low the lower end of its 95 % interval; null where no trial like it was repeated
 * @param high the upper end
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

  /**
   * The gain of a day's steps.
   *
   * @param alone the best single configuration
   * @param perDay the difference of both
   * @param configurations the configurations that could be chosen
   * @return null where one configuration runs all day
   */
  static @Nullable DayGain of(
      ProfitSurface surface,
      List<DayPlan.Step> steps,
      Configuration alone,
      double perDay,
      int configurations) {
    if (steps.stream().map(DayPlan.Step::configuration).distinct().count() == 1) {
      return null;
    }
    int loads = (int) steps.stream().mapToInt(DayPlan.Step::users).distinct().count();
    double wrong = (1 - ProfitSurface.CONFIDENCE) / loads / LoadChoice.pairs(configurations);
    int repeats = Integer.MAX_VALUE;
    double reach = 0;
    boolean repeated = true;
    boolean doubtful = false;
    for (DayPlan.Step step : steps) {
      if (!step.configuration().equals(alone)) {
        Map<ProfitCell, Double> weights = new LinkedHashMap<>();
        double hours = step.minutes() / HOUR_MINUTES;
        parts(surface.of(step.configuration()), step.users())
            .forEach((cell, part) -> weights.put(cell, hours * part));
        parts(surface.of(alone), step.users())
            .forEach((cell, part) -> weights.put(cell, -hours * part));
        Interval difference = surface.combination(weights, 1 - wrong);
        repeated &= difference != null;
        reach += difference == null ? 0 : difference.high() - difference.estimate();
        for (ProfitCell cell : weights.keySet()) {
          repeats = Math.min(repeats, cell.repeats());
          doubtful |= cell.failed().any();
        }
      }
    }
    return new DayGain(
        perDay,
        repeated ? perDay - reach : null,
        repeated ? perDay + reach : null,
        repeats,
        configurations,
        loads,
        doubtful);
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
