package org.terrace.analysis.tail;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.terrace.core.Percentiles;

/**
 * Intervals of percentiles of values that come in bursts: samples are put together from blocks of
 * neighbours, so that what belongs together stays together (Künsch 1989; circular blocks, Politis
 * and Romano 1992). The block length is chosen from the data by the rule of Politis and White
 * (2004) as corrected by Patton, Politis and White (2009). Stateless.
 */
public final class BlockBootstrap {
  /** Samples drawn for an interval. */
  public static final int RESAMPLES = 400;

  /** Samples drawn where there are many values, to bound the time. */
  private static final int LEAST_RESAMPLES = 100;

  private static final long MOST_DRAWS = 40_000_000;
  private static final double LAG_THRESHOLD = 2;
  private static final int LEAST_LAGS = 5;

  /** Longer lags than this are not looked at, which bounds the time for long samples. */
  private static final int MOST_LAGS = 500;

  private BlockBootstrap() {}

  /**
   * An estimate with its interval.
   *
   * @param estimate the statistic of the values themselves
   * @param low the lower end of its percentile interval
   * @param high the upper end
   * @param blockLength the length of the blocks, in values
   */
  public record Interval(double estimate, double low, double high, int blockLength) {}

  /**
   * The interval of a percentile, in nanoseconds, never narrower than the exact one for independent
   * values. Blocks are chosen from the series that says of each value whether it exceeds the
   * percentile: the bursts that matter are those of the tail. How much the share of such values
   * varies from sample to sample gives the ranks of the ends (Woodruff 1952). An end that no value
   * bounds is infinite, or 0 below.
   *
   * @param inOrder the values in order of time, at least one
   */
  public static Interval percentile(
      long[] inOrder, double percentile, double confidence, long seed) {
    long[] sorted = inOrder.clone();
    Arrays.sort(sorted);
    PercentileInterval exact = OrderStatistics.interval(sorted, percentile, confidence);
    double[] exceeds =
        Arrays.stream(inOrder).mapToDouble(v -> v > exact.valueNanos() ? 1 : 0).toArray();
    int blockLength = blockLength(exceeds);
    double low = exact.lowNanos() == null ? 0 : exact.lowNanos();
    double high = exact.highNanos() == null ? Double.POSITIVE_INFINITY : exact.highNanos();
    if (blockLength > 1) {
      double[] shares = shares(exceeds, blockLength, seed);
      double share = Arrays.stream(exceeds).sum() / exceeds.length;
      double below = Percentiles.ofSorted(shares, 100 * (1 - (1 - confidence) / 2)) - share;
      double above = share - Percentiles.ofSorted(shares, 100 * ((1 - confidence) / 2));
      int count = sorted.length;
      int rank = Percentiles.rank(count, percentile);
      int lowRank = (int) Math.floor(rank - below * count);
      int highRank = (int) Math.ceil(rank + above * count) + 1;
      low = lowRank < 1 ? 0 : Math.min(low, (double) sorted[lowRank - 1]);
      high =
          highRank > count
              ? Double.POSITIVE_INFINITY
              : Math.max(high, (double) sorted[highRank - 1]);
    }
    return new Interval(exact.valueNanos(), low, high, blockLength);
  }

  /** The shares of ones in samples of blocks, in rising order; O(1) a block by prefix sums. */
  static double[] shares(double[] ones, int blockLength, long seed) {
    int count = ones.length;
    int[] before = new int[count + 1];
    for (int i = 0; i < count; i++) {
      before[i + 1] = before[i] + (int) ones[i];
    }
    SplittableRandom random = new SplittableRandom(seed);
    int samples = Math.clamp(MOST_DRAWS * blockLength / count, LEAST_RESAMPLES, RESAMPLES);
    double[] shares = new double[samples];
    for (int i = 0; i < samples; i++) {
      long sum = 0;
      for (int at = 0; at < count; at += blockLength) {
        int start = random.nextInt(count);
        int end = start + Math.min(blockLength, count - at);
        sum +=
            end <= count
                ? before[end] - before[start]
                : before[count] - before[start] + before[end - count];
      }
      shares[i] = (double) sum / count;
    }
    Arrays.sort(shares);
    return shares;
  }

  /** The block length for a series; 1 where neighbours are unrelated or all are equal. */
  public static int blockLength(double[] series) {
    int count = series.length;
    double mean = Arrays.stream(series).average().orElse(0);
    double variance = covariance(series, mean, 0);
    if (count < 2 * LEAST_LAGS || variance <= 0) {
      return 1;
    }
    int quiet = Math.max(LEAST_LAGS, (int) Math.ceil(Math.sqrt(Math.log10(count))));
    int most = Math.min(MOST_LAGS, (int) Math.ceil(Math.sqrt(count)) + quiet);
    double threshold = LAG_THRESHOLD * Math.sqrt(Math.log10(count) / count);
    int last = 0;
    int related = 0;
    for (int lag = 1; lag <= most && lag - last <= quiet; lag++) {
      if (Math.abs(covariance(series, mean, lag) / variance) >= threshold) {
        related += related == lag - 1 ? 1 : 0;
        last = lag;
      }
    }
    int window = Math.min(2 * Math.max(1, last), most);
    double weighted = 0;
    double spectrum = variance;
    for (int lag = 1; lag <= window; lag++) {
      double share = (double) lag / window;
      double flatTop = share <= 0.5 ? 1 : 2 * (1 - share);
      double covariance = flatTop * covariance(series, mean, lag);
      weighted += 2 * lag * covariance;
      spectrum += 2 * covariance;
    }
    double denominator = 4.0 / 3 * spectrum * spectrum;
    double length = Math.cbrt(2 * weighted * weighted / denominator * count);
    double longest = Math.ceil(Math.min(3 * Math.sqrt(count), count / 3.0));
    // What chance makes of far lags may cancel what near ones say, and leave no length at all: a
    // block holds at least the neighbours in a row that are related.
    double wanted = last > 0 && length > 1 ? Math.ceil(length) : 1;
    return (int) Math.min(longest, Math.max(related, wanted));
  }

  private static double covariance(double[] series, double mean, int lag) {
    double sum = 0;
    for (int i = lag; i < series.length; i++) {
      sum += (series[i] - mean) * (series[i - lag] - mean);
    }
    return series.length == 0 ? 0 : sum / series.length;
  }
}
