package org.terrace.details.history;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.HypergeometricDistribution;
import org.terrace.core.Percentiles;

/**
 * The newest values of a series that all lie to one side of nearly all before them: too few for a
 * test of levels, and yet not what the values before let expect. Immutable.
 *
 * <p>Some are found where the nearest of them is {@value #FAR} times as far from the median as the
 * farthest value before on that side, or where so many values without order would seldom all be
 * among the most extreme. The first holds for a single one, whose rank is never rare enough: the
 * highest of {@code n} values is the last with a probability of {@code 1 / n}.
 *
 * @param count how many they are, 0 if there are none
 * @param probability the probability that as many values without order are as extreme, on either
 *     side; 1 if there are none
 */
record NewestValues(int count, double probability) {
  /** The most values that are looked at: one more is a side of a split. */
  static final int MOST = RankedValues.LEAST_SIDE - 1;

  private static final int FAR = 3;

  /**
   * The probability below which ranks are a sign, for each number of values. So low, as values that
   * are alike are extreme together more often than values without order.
   */
  private static final double LEVEL = 2.5e-4;

  private static final NewestValues NONE = new NewestValues(0, 1);

  /**
   * The newest values that lie outside, of several numbers of them the one that chance explains
   * least. O(n log n).
   *
   * @param values more than {@value #MOST}
   */
  static NewestValues of(double[] values) {
    double[] negated = Arrays.stream(values).map(value -> -value).toArray();
    NewestValues best = NONE;
    for (int count = 1; count <= MOST; count++) {
      double probability = Math.min(probability(values, count), probability(negated, count));
      boolean outside = probability <= LEVEL || isFar(values, count) || isFar(negated, count);
      if (outside && probability < best.probability()) {
        best = new NewestValues(count, probability);
      }
    }
    return best;
  }

  private static double[] sortedBefore(double[] values, int count) {
    double[] before = Arrays.copyOf(values, values.length - count);
    Arrays.sort(before);
    return before;
  }

  private static double lowest(double[] values, int count) {
    return Arrays.stream(values, values.length - count, values.length).min().orElseThrow();
  }

  private static boolean isFar(double[] values, int count) {
    double[] before = sortedBefore(values, count);
    double median = Percentiles.ofSorted(before, 50);
    double distance = lowest(values, count) - median;
    return distance > 0 && distance >= FAR * (before[before.length - 1] - median);
  }

  /** The probability that the newest are all among as many of the highest as hold them here. */
  private static double probability(double[] values, int count) {
    double lowest = lowest(values, count);
    int before = values.length - count;
    int asHigh = (int) Arrays.stream(values, 0, before).filter(value -> value >= lowest).count();
    return Math.min(
        1,
        2 * HypergeometricDistribution.of(values.length, count, count + asHigh).probability(count));
  }
}
