package org.terrace.analysis.tail;

/**
 * The values of a sample that lie beyond a threshold.
 *
 * @param thresholdNanos values above it are outliers
 * @param count how many lie above it
 * @param share the part of all values that they are, 0 to 1
 * @param meanNanos their mean; 0 when there are none
 */
public record Outliers(double thresholdNanos, int count, double share, double meanNanos) {
  /** The standard deviation of a normal distribution in units of its median absolute deviation. */
  private static final double SIGMA_OF_DEVIATION = 1.482602218505602;

  /** The outliers beyond a threshold. */
  public static Outliers beyond(long[] nanos, double thresholdNanos) {
    int count = 0;
    double sum = 0;
    for (long value : nanos) {
      if (value > thresholdNanos) {
        count++;
        sum += value;
      }
    }
    return new Outliers(
        thresholdNanos,
        count,
        nanos.length == 0 ? 0 : (double) count / nanos.length,
        count == 0 ? 0 : sum / count);
  }

  /** The outliers beyond the mean plus {@code times} sigma: with 3, the three-sigma rule. */
  public static Outliers bySigma(long[] nanos, Moments moments, double times) {
    return beyond(nanos, moments.meanNanos() + times * moments.sigmaNanos());
  }

  /**
   * The outliers beyond the median plus {@code times} the median absolute deviation, scaled to be
   * sigma for a normal distribution (Hampel 1974). Unlike sigma, it does not grow with the outliers
   * that it judges.
   */
  public static Outliers byMedian(
      long[] nanos, long medianNanos, long deviationNanos, double times) {
    return beyond(nanos, medianNanos + times * SIGMA_OF_DEVIATION * deviationNanos);
  }
}
