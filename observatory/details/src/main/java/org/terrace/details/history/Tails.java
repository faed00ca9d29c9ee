package org.terrace.details.history;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.HypergeometricDistribution;
import org.terrace.core.Percentiles;
import org.terrace.details.comparison.ResultComparison;

/**
 * The ends of two levels' distributions, in which a level differs that is bad now and then: the
 * median of all pairs does not see what fewer than half of the values do. Stateless.
 */
final class Tails {
  /** The percentile beyond which a level's end begins. */
  private static final double END = 90;

  private Tails() {}

  /**
   * The direction in which the ends differ by more than a limit: 1 if there is more after at the
   * top or less at the bottom, -1 the other way round, 0 if neither or both. O(n log n).
   *
   * @param before the values before, at least one
   * @param after the values after, at least one
   */
  static int direction(double[] before, double[] after, double limit) {
    boolean more =
        reachesBeyond(after, before, limit)
            || reachesBeyond(negated(before), negated(after), limit);
    boolean less =
        reachesBeyond(before, after, limit)
            || reachesBeyond(negated(after), negated(before), limit);
    return Boolean.compare(more, less);
  }

  /**
   * Whether more of one level's values lie above another's end, and by more than the limit, than
   * chance puts there: of a level that is shifted by no more than that, those would be as few as
   * the other's own.
   */
  private static boolean reachesBeyond(double[] level, double[] other, double limit) {
    double[] sorted = other.clone();
    Arrays.sort(sorted);
    double end = Percentiles.ofSorted(sorted, END);
    int own = (int) Arrays.stream(other).filter(value -> value > end).count();
    int beyond = (int) Arrays.stream(level).filter(value -> value > end + limit).count();
    return beyond > 0
        && HypergeometricDistribution.of(level.length + other.length, level.length, own + beyond)
                .survivalProbability(beyond - 1)
            <= (1 - ResultComparison.CONFIDENCE) / 2;
  }

  private static double[] negated(double[] values) {
    return Arrays.stream(values).map(value -> -value).toArray();
  }
}
