package org.terrace.core;

import java.util.Arrays;

/**
 * Exact percentiles by the nearest rank: the {@code p}th percentile of {@code n} values is the
 * value of rank {@code ceil(n p / 100)}, the smallest that at least {@code p} percent do not
 * exceed. Stateless; every call takes constant time on values that are sorted, and sorts a copy of
 * others.
 */
public final class Percentiles {
  private Percentiles() {}

  /**
   * The rank of a percentile among {@code count} values, from 1.
   *
   * @param percentile 0 to 100
   */
  public static long rank(long count, double percentile) {
    // The product is rounded to a millionth first, so that 99.9 % of 1,000 is rank 999, not 1,000.
    double exact = Math.rint(count * percentile * 1e4) / 1e6;
    return Math.clamp((long) Math.ceil(exact), 1, Math.max(1, count));
  }

  /** The rank of a percentile among {@code count} values, from 1. */
  public static int rank(int count, double percentile) {
    return (int) rank((long) count, percentile);
  }

  /** The value of a percentile of values in rising order, of which there must be one. */
  public static long ofSorted(long[] sorted, double percentile) {
    return ofSorted(sorted, 0, sorted.length, percentile);
  }

  /** The value of a percentile of {@code sorted[from, to)}, which must not be empty. */
  public static long ofSorted(long[] sorted, int from, int to, double percentile) {
    return sorted[from + rank(to - from, percentile) - 1];
  }

  /** The value of a percentile of values in rising order, of which there must be one. */
  public static double ofSorted(double[] sorted, double percentile) {
    return sorted[rank(sorted.length, percentile) - 1];
  }

  /** The median of values in any order, of rank {@code ceil(n / 2)}; NaN without values. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? Double.NaN : ofSorted(sorted, 50);
  }
}
