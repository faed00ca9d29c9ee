package org.terrace.analysis.tail;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A percentile of a sample with a confidence interval between two of the sample's own values.
 *
 * @param percentile the percentile, 0 to 100
 * @param confidence the least probability that the interval holds the true percentile, 0 to 1
 * @param count the number of values
 * @param valueNanos the percentile by the nearest rank
 * @param lowRank the rank of the lower end, from 1; 0 where no value bounds it
 * @param highRank the rank of the upper end; 0 where no value bounds it
 * @param lowNanos the lower end; null where there is none
 * @param highNanos the upper end; null where there is none
 */
public record PercentileInterval(
    double percentile,
    double confidence,
    int count,
    long valueNanos,
    int lowRank,
    int highRank,
    @Nullable Long lowNanos,
    @Nullable Long highNanos) {

  /** Whether both ends are values of the sample. */
  public boolean isBounded() {
    return lowNanos != null && highNanos != null;
  }

  /** The interval in words: its ranks, or that there is no finite bound and what would give one. */
  public String describe() {
    if (highNanos == null) {
      return String.format(
          Locale.ROOT,
          "no finite bound at n = %,d: the %s %% interval of p%s needs n >= %,d",
          count,
          percent(confidence),
          plain(percentile),
          OrderStatistics.leastCount(percentile, confidence));
    }
    return String.format(
        Locale.ROOT,
        "ranks %s-%,d of %,d, %s %% confidence",
        lowRank == 0 ? "none" : String.format(Locale.ROOT, "%,d", lowRank),
        highRank,
        count,
        percent(confidence));
  }

  private static String percent(double part) {
    return plain(Math.rint(part * 1e6) / 1e4);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
