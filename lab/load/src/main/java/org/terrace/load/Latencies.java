package org.terrace.load;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.terrace.core.Percentiles;

/** Times of operations, kept one by one up to a bound. Confined to one thread until read. */
public final class Latencies {
  private static final int FIRST = 1 << 10;
  private static final int MAX = 1 << 22;

  private long[] nanos = new long[FIRST];
  private int count;

  /** Adds one; beyond the bound it is dropped, which {@link #isFull} tells. */
  public void add(long elapsedNanos) {
    if (count == nanos.length) {
      if (count == MAX) {
        return;
      }
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = elapsedNanos;
  }

  /** Whether more are dropped. */
  public boolean isFull() {
    return count == MAX;
  }

  /** The number of latencies that were added and kept. */
  public int count() {
    return count;
  }

  /** The longest time, or 0 if there is none. */
  public long longestNanos() {
    long longest = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, nanos[i]);
    }
    return longest;
  }

  /** All times of all parts. */
  public static Latencies merge(List<Latencies> parts) {
    Latencies all = new Latencies();
    all.count = parts.stream().mapToInt(Latencies::count).sum();
    all.nanos = new long[all.count];
    int next = 0;
    for (Latencies part : parts) {
      System.arraycopy(part.nanos, 0, all.nanos, next, part.count);
      next += part.count;
    }
    return all;
  }

  /** Percentiles in microseconds, under names that begin with the prefix. */
  public void putInto(Map<String, Double> figures, String prefix) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    figures.put(prefix + "-p50", percentile(sorted, 0.5));
    figures.put(prefix + "-p99", percentile(sorted, 0.99));
    figures.put(prefix + "-p999", percentile(sorted, 0.999));
  }

  /**
   * A percentile in microseconds, NaN if there is none.
   *
   * @param percentile 0 to 100
   */
  public double micros(double percentile) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return percentile(sorted, percentile / 100);
  }

  /** The least value that at least the share of all are no greater than. */
  private static double percentile(long[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return Percentiles.ofSorted(sorted, share * 100) / 1e3;
  }
}
