package org.terrace.analysis.tail;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Percentiles;

/**
 * The tail of one sample of latencies, each figure beside what bounds it. Immutable.
 *
 * @param moments mean and unbiased sigma
 * @param p50Nanos the median
 * @param p999Nanos the 99.9th percentile
 * @param maxNanos the largest
 * @param medianDeviationNanos the median of the absolute distances from the median
 * @param sigmaOutliers the values beyond the mean plus 3 sigma
 * @param medianOutliers the values beyond the median plus {@value #MEDIAN_TIMES} scaled median
 *     absolute deviations
 * @param maxZ the z-score of the largest value
 * @param maxZCeiling the largest that any sample of this size can have
 * @param p99Z the z-score of the 99th percentile
 * @param p99ZCeiling the largest that the 99th percentile of any distribution can have
 * @param p99 the 99th percentile with its exact interval, for independent values
 * @param p99Blocks the same by block bootstrap, for values in bursts
 * @param tails generalised Pareto fits by threshold
 * @param tail the fit to go by; null with too few values
 */
public record TailSummary(
    Moments moments,
    long p50Nanos,
    long p999Nanos,
    long maxNanos,
    long medianDeviationNanos,
    Outliers sigmaOutliers,
    Outliers medianOutliers,
    double maxZ,
    double maxZCeiling,
    double p99Z,
    double p99ZCeiling,
    PercentileInterval p99,
    BlockBootstrap.Interval p99Blocks,
    List<ParetoTail> tails,
    @Nullable ParetoTail tail) {

  /** The confidence of the intervals of percentiles. */
  public static final double CONFIDENCE = 0.99;

  /** The confidence of the interval of the tail's shape. */
  public static final double SHAPE_CONFIDENCE = 0.95;

  /** Sigma that an outlier by the three-sigma rule lies above the mean. */
  public static final double SIGMA_TIMES = 3;

  /** Scaled median absolute deviations that an outlier lies above the median. */
  public static final int MEDIAN_TIMES = 10;

  /** Copies the fits. */
  public TailSummary {
    tails = List.copyOf(tails);
  }

  /**
   * The tail of a sample. O(n log n), and {@value BlockBootstrap#RESAMPLES} samples for the
   * bootstrap.
   *
   * @param inOrder latencies in nanoseconds, in order of time, at least one; not changed
   * @param seed the seed of the bootstrap
   */
  public static TailSummary of(long[] inOrder, long seed) {
    long[] sorted = inOrder.clone();
    Arrays.sort(sorted);
    PercentileInterval p99 = OrderStatistics.interval(sorted, 99, CONFIDENCE);
    Moments moments = Moments.of(sorted);
    long median = Percentiles.ofSorted(sorted, 50);
    long[] distances = Arrays.stream(sorted).map(value -> Math.abs(value - median)).toArray();
    Arrays.sort(distances);
    long deviation = Percentiles.ofSorted(distances, 50);
    long max = sorted[sorted.length - 1];
    List<ParetoTail> tails = ParetoTail.table(sorted, SHAPE_CONFIDENCE);
    return new TailSummary(
        moments,
        median,
        Percentiles.ofSorted(sorted, 99.9),
        max,
        deviation,
        Outliers.bySigma(sorted, moments, SIGMA_TIMES),
        Outliers.byMedian(sorted, median, deviation, MEDIAN_TIMES),
        moments.z((double) max),
        Ceilings.ofMaximum(sorted.length),
        moments.z((double) p99.valueNanos()),
        Ceilings.ofPercentile(99),
        p99,
        BlockBootstrap.percentile(inOrder, 99, CONFIDENCE, seed),
        tails,
        ParetoTail.chosen(tails));
  }

  /** The 99th percentile over the mean; 0 where the mean is 0. At most 100 by arithmetic. */
  public double p99OverMean() {
    return ratio((double) p99.valueNanos(), moments.meanNanos());
  }

  /** The largest over the median. */
  public double maxOverP50() {
    return ratio((double) maxNanos, (double) p50Nanos);
  }

  /** The 99.9th percentile over the median. */
  public double p999OverP50() {
    return ratio((double) p999Nanos, (double) p50Nanos);
  }

  private static double ratio(double value, double unit) {
    return unit > 0 ? value / unit : 0;
  }
}
