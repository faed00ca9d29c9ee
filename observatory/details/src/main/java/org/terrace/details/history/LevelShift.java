package org.terrace.details.history;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;
import org.terrace.details.comparison.ResultComparison;

/**
 * The difference of two levels, by ranks: the median of all differences of a value after and one
 * before, and its interval (Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963).
 * Where neighbours are correlated the interval is as much wider as that of a mean would be.
 * Immutable.
 *
 * @param estimate the difference
 * @param low the lower end of its interval; null where the values are too few for one
 * @param high the upper end
 */
record LevelShift(double estimate, @Nullable Double low, @Nullable Double high) {
  /**
   * Compares two levels. O(n × m log(n × m)).
   *
   * @param before the values before, at least one
   * @param after the values after, at least one
   * @param memory the correlation of neighbours, 0 to below 1
   */
  static LevelShift of(double[] before, double[] after, double memory) {
    int pairs = before.length * after.length;
    double[] differences = new double[pairs];
    int next = 0;
    for (double one : before) {
      for (double other : after) {
        differences[next++] = other - one;
      }
    }
    Arrays.sort(differences);
    double deviation =
        Math.sqrt(pairs * (before.length + after.length + 1.0) / 12 * (1 + memory) / (1 - memory));
    double quantile =
        NormalDistribution.of(0, 1)
            .inverseSurvivalProbability((1 - ResultComparison.CONFIDENCE) / 2);
    int outside = (int) Math.floor(pairs / 2.0 - quantile * deviation);
    return new LevelShift(
        (differences[(pairs - 1) / 2] + differences[pairs / 2]) / 2,
        outside < 0 ? null : Double.valueOf(differences[outside]),
        outside < 0 ? null : Double.valueOf(differences[pairs - 1 - outside]));
  }
}
