package org.terrace.core;

/** The Poisson distribution. Stateless. */
public final class Poisson {
  /** Beyond this mean the terms from zero on are too small for a double. */
  private static final double LARGE = 500;

  private Poisson() {}

  /**
   * The probability that a variable of a mean is at most {@code count}; for large means by the
   * Chernoff bound, which is never too small. O(count).
   */
  public static double atMost(int count, double mean) {
    if (mean > LARGE) {
      return count >= mean
          ? 1
          : Math.exp(count - mean + (count == 0 ? 0 : count * Math.log(mean / count)));
    }
    double term = Math.exp(-mean);
    double sum = term;
    for (int i = 1; i <= count; i++) {
      term *= mean / i;
      sum += term;
    }
    return Math.min(1, sum);
  }
}
