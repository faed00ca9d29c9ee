package org.terrace.cart;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Zipf's distribution over {@code 0 .. n-1}: rank {@code r} comes up in proportion to {@code 1 /
 * (r+1)^s}. Drawn by binary search in the cumulated weights, O(log n). Immutable.
 */
final class Zipf {
  private final double[] cumulated;

  Zipf(int n, double s) {
    cumulated = new double[n];
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += Math.pow(rank + 1, -s);
      cumulated[rank] = sum;
    }
  }

  int next(RandomGenerator random) {
    double point = random.nextDouble(cumulated[cumulated.length - 1]);
    int found = Arrays.binarySearch(cumulated, point);
    return found >= 0 ? found + 1 : ~found;
  }
}
