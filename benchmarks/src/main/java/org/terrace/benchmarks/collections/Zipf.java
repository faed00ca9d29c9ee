package org.terrace.benchmarks.collections;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws of 0 to n - 1 with probabilities proportional to 1 / (rank + 1). Immutable. */
final class Zipf {
  private final double[] cumulative;

  Zipf(int size) {
    cumulative = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += 1.0 / (i + 1);
      cumulative[i] = sum;
    }
  }

  int next(RandomGenerator random) {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    return Math.min(cumulative.length - 1, found < 0 ? -found - 1 : found + 1);
  }
}
