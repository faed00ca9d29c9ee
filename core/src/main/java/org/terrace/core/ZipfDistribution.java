package org.terrace.core;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Zipf's distribution over {@code 0 .. n-1}: rank {@code r} is drawn with a probability in
 * proportion to {@code 1 / (r+1)^s}. A draw is a binary search in the cumulated weights, O(log n).
 * Immutable.
 */
public final class ZipfDistribution {
  private final double[] cumulated;

  /**
   * Makes a distribution.
   *
   * @param size the number of ranks, at least one
   * @param exponent how much more often the first ranks are drawn; with zero all are alike
   */
  public ZipfDistribution(int size, double exponent) {
    if (size < 1) {
      throw new IllegalArgumentException("a distribution over " + size + " ranks");
    }
    cumulated = new double[size];
    double sum = 0;
    for (int rank = 0; rank < size; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      cumulated[rank] = sum;
    }
  }

  /** Draws a rank, 0 the most frequent. */
  public int next(RandomGenerator random) {
    double point = random.nextDouble(cumulated[cumulated.length - 1]);
    int found = Arrays.binarySearch(cumulated, point);
    return found >= 0 ? found + 1 : ~found;
  }
}
