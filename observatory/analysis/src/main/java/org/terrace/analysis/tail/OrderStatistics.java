package org.terrace.analysis.tail;

import org.terrace.core.PercentileRanks;
import org.terrace.core.Percentiles;

/**
 * Exact intervals of percentiles by the nearest rank, between the {@link PercentileRanks}. They
 * assume independent values; where they come in bursts, {@link BlockBootstrap} is wider and right.
 * Stateless.
 */
public final class OrderStatistics {
  private OrderStatistics() {}

  /**
   * The interval of a percentile, with equal tails.
   *
   * @param sorted the values in rising order, at least one
   * @param percentile between 0 and 100, both excluded
   * @param confidence between 0 and 1, both excluded
   */
  public static PercentileInterval interval(long[] sorted, double percentile, double confidence) {
    int count = sorted.length;
    if (count == 0) {
      throw new IllegalArgumentException("a percentile needs at least one value");
    }
    double tail = tail(percentile, confidence);
    PercentileRanks ranks = PercentileRanks.of(count, percentile, tail);
    int low = ranks.low();
    int high = ranks.high();
    boolean bounded = high <= count;
    return new PercentileInterval(
        percentile,
        confidence,
        count,
        Percentiles.ofSorted(sorted, percentile),
        low,
        bounded ? high : 0,
        low > 0 ? sorted[low - 1] : null,
        bounded ? sorted[high - 1] : null);
  }

  /** The fewest values that give the upper end of a percentile's interval. */
  public static int leastCount(double percentile, double confidence) {
    double tail = tail(percentile, confidence);
    return (int) Math.ceil(Math.log(tail) / Math.log(percentile / 100) - 1e-9);
  }

  private static double tail(double percentile, double confidence) {
    if (!(percentile > 0 && percentile < 100 && confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "percentile " + percentile + " (0 to 100) or confidence " + confidence + " (0 to 1)");
    }
    return (1 - confidence) / 2;
  }
}
