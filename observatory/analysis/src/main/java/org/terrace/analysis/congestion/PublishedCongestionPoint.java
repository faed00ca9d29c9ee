package org.terrace.analysis.congestion;

import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * N* by equations 1 and 2 of Wang et al., Detecting transient bottlenecks in n-tier applications
 * through fine-grained analysis, ICDCS 2013, section III-C. Stateless.
 *
 * <p>What the paper leaves open is read here as follows:
 *
 * <ul>
 *   <li>{@code ld_i} is the mean load of the windows in the {@code i}th of {@value #INTERVALS} even
 *       intervals of load. An interval without windows has no throughput and is left out, so slopes
 *       are taken between neighbouring intervals that have some.
 *   <li>An interval whose mean load is zero gives no first slope (a division by zero) and is left
 *       out.
 *   <li>{@code delta_0}, the nearly constant slope of an unsaturated server, is the first slope.
 *   <li>{@code n0} is the smallest, from 2 on, for which the lower bound is below the tolerance.
 *   <li>The standard deviation is printed without a divisor. That makes it grow with {@code n0}, so
 *       the rule fires early; {@code corrected} divides by {@code n0 - 1}. As printed, the
 *       coefficient multiplies the deviation of the sequence, not the error of its mean, in both.
 * </ul>
 */
public final class PublishedCongestionPoint {
  static final int INTERVALS = 100;
  static final double TOLERANCE = 0.2;
  private static final double T_PROBABILITY = 0.95;

  private PublishedCongestionPoint() {}

  /** The estimate from the load and throughput of windows; null when the rule never fires. */
  public static @Nullable Double estimate(double[] load, double[] throughput, boolean corrected) {
    if (load.length == 0) {
      return null;
    }
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    for (double value : load) {
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
    if (highest <= lowest) {
      return null;
    }
    double[] loadSum = new double[INTERVALS];
    double[] throughputSum = new double[INTERVALS];
    int[] windows = new int[INTERVALS];
    for (int i = 0; i < load.length; i++) {
      int interval =
          Math.min(INTERVALS - 1, (int) ((load[i] - lowest) / (highest - lowest) * INTERVALS));
      loadSum[interval] += load[i];
      throughputSum[interval] += throughput[i];
      windows[interval]++;
    }
    double[] ld = new double[INTERVALS];
    double[] tp = new double[INTERVALS];
    int k = 0;
    for (int i = 0; i < INTERVALS; i++) {
      if (windows[i] > 0 && loadSum[i] > 0) {
        ld[k] = loadSum[i] / windows[i];
        tp[k] = throughputSum[i] / windows[i];
        k++;
      }
    }
    return ofIntervals(ld, tp, k, corrected);
  }

  /** The estimate from the first {@code k} load intervals and their average throughputs. */
  static @Nullable Double ofIntervals(double[] ld, double[] tp, int k, boolean corrected) {
    double[] slope = new double[k];
    double sum = 0;
    for (int i = 0; i < k; i++) {
      slope[i] = i == 0 ? tp[0] / ld[0] : (tp[i] - tp[i - 1]) / (ld[i] - ld[i - 1]);
      sum += slope[i];
      int n0 = i + 1;
      if (n0 == 1) {
        continue;
      }
      double mean = sum / n0;
      double squares = 0;
      for (int j = 0; j < n0; j++) {
        squares += (slope[j] - mean) * (slope[j] - mean);
      }
      double deviation = Math.sqrt(corrected ? squares / (n0 - 1) : squares);
      double t = TDistribution.of(n0 - 1).inverseCumulativeProbability(T_PROBABILITY);
      double lowerBound = mean - t * deviation;
      if (lowerBound < TOLERANCE * slope[0]) {
        return ld[i];
      }
    }
    return null;
  }
}
