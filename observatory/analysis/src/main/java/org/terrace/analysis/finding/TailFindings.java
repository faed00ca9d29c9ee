package org.terrace.analysis.finding;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The tail of response times, each figure beside what bounds it.
 *
 * @param count the number of answers
 * @param outlierShare the part of answers beyond the mean plus 3 sigma, 0 to 1
 * @param medianOutlierShare the part beyond the median plus 10 scaled median absolute deviations
 * @param maxZ the z-score of the longest
 * @param maxZCeiling the largest that any sample of this size can have: (n-1)/sqrt(n)
 * @param p99Z the z-score of the 99th percentile
 * @param p99ZCeiling the largest that the 99th percentile of any distribution can have
 * @param p99Micros the 99th percentile with its interval
 * @param shape the shape of a generalised Pareto tail; null with too few answers
 * @param p99OverMean the 99th percentile over the mean
 * @param maxOverP50 the longest over the median
 * @param p999OverP50 the 99.9th percentile over the median
 */
public record TailFindings(
    long count,
    double outlierShare,
    double medianOutlierShare,
    double maxZ,
    double maxZCeiling,
    double p99Z,
    double p99ZCeiling,
    Percentile p99Micros,
    @Nullable Shape shape,
    double p99OverMean,
    double maxOverP50,
    double p999OverP50)
    implements Serializable {

  /**
   * A percentile with its interval.
   *
   * @param value the percentile, in microseconds
   * @param low the lower end by block bootstrap; null where nothing bounds it
   * @param high the upper end; null where nothing bounds it
   * @param exactLow the lower end that would hold for independent requests
   * @param exactHigh the upper end that would hold for independent requests
   * @param confidence the confidence of both, 0 to 1
   * @param blockLength requests that were kept together because they come in bursts
   * @param detail the ranks, or that there is no finite bound and how many requests would give one
   */
  public record Percentile(
      double value,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable Double exactLow,
      @Nullable Double exactHigh,
      double confidence,
      int blockLength,
      String detail)
      implements Serializable {}

  /**
   * The shape of a generalised Pareto tail: 0 is exponential, from 0.5 on the variance is infinite.
   *
   * @param value the shape
   * @param low the lower end of its 95 % interval
   * @param high the upper end
   * @param thresholdPercentile the percentile beyond which the tail was fitted
   * @param exceedances the number of values beyond it
   * @param verdict what that says of sigma and z-scores, in a sentence
   */
  public record Shape(
      double value,
      double low,
      double high,
      double thresholdPercentile,
      int exceedances,
      String verdict)
      implements Serializable {}
}
