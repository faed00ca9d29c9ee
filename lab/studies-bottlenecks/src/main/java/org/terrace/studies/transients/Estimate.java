package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.terrace.analysis.study.DataTable.Cell;
import org.terrace.analysis.tail.BlockBootstrap;
import org.terrace.core.Percentiles;

/**
 * A figure computed of windows in order of time, with its 95 % interval by a bootstrap of blocks of
 * neighbouring windows, whose length is chosen from the data. Immutable.
 *
 * @param value the figure; not a number where nothing could be computed
 * @param low the lower end of its interval
 * @param high the upper end
 * @param count the number of windows
 */
record Estimate(double value, double low, double high, int count) {
  static final double CONFIDENCE = 0.95;
  private static final long SEED = 1;

  /** Windows in a row that belong together at least: half a second of the paper's. */
  private static final int SHORTEST_BLOCK = 10;

  private static final int FEWEST_WINDOWS = 10;

  /** A figure of nothing. */
  static final Estimate NONE = new Estimate(Double.NaN, Double.NaN, Double.NaN, 0);

  /** The figure of windows of 50 ms, or shorter ones, that follow one another. */
  static Estimate of(double[] series, ToDoubleFunction<int[]> statistic) {
    return of(series, SHORTEST_BLOCK, statistic);
  }

  private static Estimate of(
      double[] series, int shortestBlock, ToDoubleFunction<int[]> statistic) {
    if (series.length < Math.max(FEWEST_WINDOWS, 2 * shortestBlock)) {
      return NONE;
    }
    int block = Math.max(shortestBlock, BlockBootstrap.blockLength(series));
    double[] drawn = resampled(series.length, block, statistic);
    double tail = (1 - CONFIDENCE) / 2;
    return new Estimate(
        statistic.applyAsDouble(IntStream.range(0, series.length).toArray()),
        Percentiles.ofSorted(drawn, 100 * tail),
        Percentiles.ofSorted(drawn, 100 * (1 - tail)),
        series.length);
  }

  /** The figures of samples put together from blocks of neighbouring windows, in rising order. */
  private static double[] resampled(int windows, int block, ToDoubleFunction<int[]> statistic) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] drawn = new double[BlockBootstrap.RESAMPLES];
    int[] sample = new int[windows];
    for (int i = 0; i < drawn.length; i++) {
      int start = 0;
      for (int at = 0; at < windows; at++) {
        start = at % block == 0 ? random.nextInt(windows) : start;
        sample[at] = (start + at % block) % windows;
      }
      drawn[i] = statistic.applyAsDouble(sample);
    }
    Arrays.sort(drawn);
    return drawn;
  }

  /** The share of windows of 50 ms, or shorter ones, of which something is true. */
  static Estimate share(int windows, IntPredicate isTrue) {
    return share(windows, SHORTEST_BLOCK, isTrue);
  }

  /** The share of windows of a second of which something is true. */
  static Estimate shareOfSeconds(int windows, IntPredicate isTrue) {
    return share(windows, 1, isTrue);
  }

  private static Estimate share(int windows, int shortestBlock, IntPredicate isTrue) {
    double[] ones = new double[windows];
    Arrays.setAll(ones, i -> isTrue.test(i) ? 1 : 0);
    return of(
        ones,
        shortestBlock,
        sample -> Arrays.stream(sample).mapToDouble(i -> ones[i]).sum() / windows);
  }

  /** The mean of a series, of what is a number in it. */
  static Estimate mean(double[] series) {
    double[] plain = series.clone();
    for (int i = 0; i < plain.length; i++) {
      plain[i] = Double.isNaN(plain[i]) ? 0 : plain[i];
    }
    return of(
        plain,
        sample ->
            Arrays.stream(sample)
                .mapToDouble(i -> series[i])
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN));
  }

  /** Whether there is a figure with an interval. */
  boolean isKnown() {
    return Double.isFinite(value) && Double.isFinite(low) && Double.isFinite(high);
  }

  /** Whether the whole interval is below the whole interval of another. */
  boolean isBelow(Estimate other) {
    return isKnown() && other.isKnown() && high < other.low;
  }

  /** The figure as a percentage, with its interval. */
  String percent() {
    return isKnown()
        ? text("%.1f %% (%.1f to %.1f, n = %d)", 100 * value, 100 * low, 100 * high, count)
        : "unknown";
  }

  /** The figure with its interval, in a unit. */
  String in(String unit) {
    return isKnown()
        ? text("%.3g %s (%.3g to %.3g, n = %d)", value, unit, low, high, count)
        : "unknown";
  }

  /** The figure as a table shows it, times a factor. */
  Cell cell(double factor) {
    return isKnown() ? Cell.of(value * factor, low * factor, high * factor) : Cell.of("unknown");
  }
}
