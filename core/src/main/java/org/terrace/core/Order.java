package org.terrace.core;

import java.util.Arrays;

/**
 * Orders windows by a non-negative value without boxing: an entry holds the value, as a float,
 * above the window's index. Values that differ by less than a float can tell keep the order of
 * their windows.
 */
public final class Order {
  private Order() {}

  /** Entries of the windows that are not excluded, in ascending order of their values. */
  public static long[] ascending(double[] values, boolean[] excluded) {
    long[] entries = new long[values.length];
    int size = 0;
    for (int i = 0; i < values.length; i++) {
      if (!excluded[i]) {
        entries[size++] = entry(values[i], i);
      }
    }
    entries = Arrays.copyOf(entries, size);
    Arrays.sort(entries);
    return entries;
  }

  /** The entry of one window; the value must not be negative. */
  public static long entry(double value, int index) {
    return (long) Float.floatToRawIntBits((float) value) << Integer.SIZE | index;
  }

  /** The window of an entry. */
  public static int index(long entry) {
    return (int) entry;
  }

  /** The value of a quantile, 0 to 1, of the values that are not excluded; zero when none are. */
  public static double quantile(double[] values, boolean[] excluded, double quantile) {
    long[] order = ascending(values, excluded);
    return order.length == 0
        ? 0
        : values[index(order[Percentiles.rank(order.length, 100 * quantile) - 1])];
  }
}
