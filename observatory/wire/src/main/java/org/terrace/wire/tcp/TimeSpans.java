package org.terrace.wire.tcp;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Stretches of time in the order in which they were found; one that touches the last is joined to
 * it, and so is one beyond the limit, which makes what is told longer, never shorter. Confined to
 * one thread.
 */
public final class TimeSpans {
  private static final int FIRST_CAPACITY = 16;

  private final int most;
  private long[] starts = new long[FIRST_CAPACITY];
  private long[] ends = new long[FIRST_CAPACITY];
  private int size;

  TimeSpans(int most) {
    this.most = most;
  }

  void add(long startNanos, long endNanos) {
    int last = size - 1;
    boolean touches = size > 0 && startNanos <= ends[last] && endNanos >= starts[last];
    if (touches || size == most) {
      starts[last] = Math.min(starts[last], startNanos);
      ends[last] = Math.max(ends[last], endNanos);
      return;
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, Math.min(most, size * 2));
      ends = Arrays.copyOf(ends, starts.length);
    }
    starts[size] = startNanos;
    ends[size++] = endNanos;
  }

  /** The same, in order of time and disjoint. */
  TimeSpans joined() {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(i -> starts[i]));
    TimeSpans joined = new TimeSpans(most);
    for (int i : order) {
      joined.add(starts[i], ends[i]);
    }
    return joined;
  }

  /** The number of spans. */
  public int size() {
    return size;
  }

  /** The start of one, in nanoseconds since the Unix epoch. */
  public long startNanos(int index) {
    return starts[index];
  }

  /** The end of one, in nanoseconds since the Unix epoch. */
  public long endNanos(int index) {
    return ends[index];
  }
}
