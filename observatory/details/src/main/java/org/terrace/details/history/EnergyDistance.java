package org.terrace.details.history;

import java.util.Arrays;
import org.terrace.core.Percentiles;

/**
 * The distance of two samples' distributions: how much farther a value of the one is from one of
 * the other than values of the same are from each other (Székely and Rizzo, Testing for Equal
 * Distributions in High Dimension, 2004). It grows with a shift of all values and with one of some
 * of them, and is zero where both distributions are the same.
 *
 * <p>Two values count as at most {@value #FAR} times as far from each other as neighbours are, so
 * that a single wild value is no level of its own. Confined to one thread.
 */
final class EnergyDistance {
  private static final double FAR = 10;

  private final double[] values;
  private final double farthest;

  private EnergyDistance(double[] values) {
    this.values = values;
    double[] ofNeighbours = new double[values.length];
    for (int i = 1; i < values.length; i++) {
      ofNeighbours[i] = Math.abs(values[i] - values[i - 1]);
    }
    // Equal neighbours, as of counts that are mostly zero, say nothing of the noise.
    double[] noise = Arrays.stream(ofNeighbours).filter(each -> each > 0).toArray();
    farthest = noise.length == 0 ? 0 : FAR * Percentiles.median(noise);
  }

  /**
   * The first value after the split whose sides are the farthest apart, weighted by their sizes; of
   * several such splits the first (Matteson and James, A Nonparametric Approach for Multiple Change
   * Point Analysis of Multivariate Data, 2014). O(n²).
   *
   * @param leastSide the fewest values on one side, 1 or more
   */
  static int place(double[] values, int leastSide) {
    EnergyDistance pairs = new EnergyDistance(values);
    int count = values.length;
    double withinBefore = 0;
    double withinAfter = 0;
    for (int i = 0; i < count; i++) {
      withinAfter += pairs.sum(i, 0, i);
    }
    double all = withinAfter;
    double largest = -1;
    int place = leastSide;
    for (int at = 1; at <= count - leastSide; at++) {
      withinBefore += pairs.sum(at - 1, 0, at - 1);
      withinAfter -= pairs.sum(at - 1, at, count);
      double between = all - withinBefore - withinAfter;
      double before = at;
      double after = count - at;
      double distance = between - withinBefore * after / before - withinAfter * before / after;
      if (at >= leastSide && distance > largest) {
        largest = distance;
        place = at;
      }
    }
    return place;
  }

  /** The sum of the distances of one value from others. */
  private double sum(int one, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += Math.min(farthest, Math.abs(values[i] - values[one]));
    }
    return sum;
  }
}
