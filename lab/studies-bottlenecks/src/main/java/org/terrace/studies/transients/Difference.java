package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The difference of two means of independent values with its 95 % interval by Welch's t. Immutable.
 *
 * <p>Source: Welch, "The generalization of Student's problem when several different population
 * variances are involved", Biometrika 34 (1947).
 *
 * @param value the difference
 * @param low the lower end of its interval
 * @param high the upper end
 * @param count the values on each side, the fewer of both
 */
record Difference(double value, double low, double high, int count) {
  private static final double UPPER = 0.975;

  /** The mean of the first less that of the second; unknown with fewer than two of either. */
  static Difference of(double[] first, double[] second) {
    int count = Math.min(first.length, second.length);
    if (count < 2) {
      return new Difference(Double.NaN, Double.NaN, Double.NaN, count);
    }
    double value = mean(first) - mean(second);
    double one = variance(first) / first.length;
    double two = variance(second) / second.length;
    if (one + two == 0) {
      return new Difference(value, value, value, count);
    }
    double freedom =
        (one + two)
            * (one + two)
            / (one * one / (first.length - 1) + two * two / (second.length - 1));
    double half =
        TDistribution.of(freedom).inverseCumulativeProbability(UPPER) * Math.sqrt(one + two);
    return new Difference(value, value - half, value + half, count);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
  }

  /** Whether there is a difference with an interval. */
  boolean isKnown() {
    return Double.isFinite(value);
  }

  /** The difference as a percentage of a core. */
  String percent() {
    return isKnown()
        ? text(
            "%.1f %% of a core (%.1f to %.1f, n = %d)", 100 * value, 100 * low, 100 * high, count)
        : "unknown";
  }
}
