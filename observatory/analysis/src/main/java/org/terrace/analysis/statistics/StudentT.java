package org.terrace.analysis.statistics;

/**
 * Quantiles of Student's t distribution for whole degrees of freedom, by bisection of the closed
 * form of its cumulative distribution (Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.7.3 and 26.7.4). Stateless.
 */
public final class StudentT {
  private static final int BISECTIONS = 80;
  private static final double HIGHEST = 1e6;

  private StudentT() {}

  /** The value that is exceeded with probability {@code 1 - p}, for p of at least one half. */
  public static double quantile(double p, int degreesOfFreedom) {
    double low = 0;
    double high = HIGHEST;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (cumulative(middle, degreesOfFreedom) < p) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** The probability of a value of at most {@code t}, which must not be negative. */
  static double cumulative(double t, int degreesOfFreedom) {
    double theta = Math.atan(t / Math.sqrt(degreesOfFreedom));
    double cosine = Math.cos(theta);
    boolean odd = degreesOfFreedom % 2 == 1;
    double term = odd ? cosine : 1;
    double sum = degreesOfFreedom == 1 ? 0 : term;
    for (int i = odd ? 2 : 1; i + 1 < degreesOfFreedom - (odd ? 0 : 1); i += 2) {
      term *= cosine * cosine * i / (i + 1);
      sum += term;
    }
    double within = odd ? 2 / Math.PI * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
    return (1 + within) / 2;
  }
}
