package org.terrace.core;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Disjoint half-open intervals of time in ascending order. Immutable; the arrays are not handed
 * out.
 */
public final class Intervals {
  /** No interval. */
  public static final Intervals NONE = new Intervals(new long[0], new long[0]);

  private final long[] start;
  private final long[] end;

  private Intervals(long[] start, long[] end) {
    this.start = start;
    this.end = end;
  }

  /**
   * The union of {@code [starts[i], ends[i])}, given in any order, clipped to a stretch of time.
   */
  public static Intervals union(long[] starts, long[] ends, long from, long to) {
    int[] order = new int[starts.length];
    int size = 0;
    long[] keys = new long[starts.length];
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] < to && ends[i] > from && ends[i] > starts[i]) {
        order[size++] = i;
      }
    }
    Integer[] sorted = new Integer[size];
    Arrays.setAll(sorted, i -> order[i]);
    Arrays.sort(sorted, (a, b) -> Long.compare(starts[a], starts[b]));
    long[] unionEnd = new long[size];
    int count = 0;
    for (int i : sorted) {
      long low = Math.max(from, starts[i]);
      long high = Math.min(to, ends[i]);
      if (count > 0 && low <= unionEnd[count - 1]) {
        unionEnd[count - 1] = Math.max(unionEnd[count - 1], high);
      } else {
        keys[count] = low;
        unionEnd[count++] = high;
      }
    }
    return new Intervals(Arrays.copyOf(keys, count), Arrays.copyOf(unionEnd, count));
  }

  /**
   * The parts that lie in blocks of time, each moved to where its block goes.
   *
   * @param goesTo the new start of a block; negative where the block is left out
   * @param length the end of all new places
   */
  Intervals cut(long origin, long blockNanos, int blocks, IntToLongFunction goesTo, long length) {
    long[] starts = new long[start.length + blocks];
    long[] ends = new long[start.length + blocks];
    int size = 0;
    for (int i = 0; i < start.length; i++) {
      int first = (int) Math.max(0, (start[i] - origin) / blockNanos);
      for (int block = first; block < blocks && origin + block * blockNanos < end[i]; block++) {
        long from = origin + block * blockNanos;
        long to = goesTo.applyAsLong(block);
        if (to >= 0) {
          starts[size] = Math.max(start[i], from) - from + to;
          ends[size++] = Math.min(end[i], from + blockNanos) - from + to;
        }
      }
    }
    return union(Arrays.copyOf(starts, size), Arrays.copyOf(ends, size), 0, length);
  }

  /** The number of disjoint intervals. */
  public int count() {
    return start.length;
  }

  /** The start of an interval. */
  public long start(int index) {
    return start[index];
  }

  /** The end of an interval. */
  public long end(int index) {
    return end[index];
  }

  /** The total length. */
  public long length() {
    long sum = 0;
    for (int i = 0; i < start.length; i++) {
      sum += end[i] - start[i];
    }
    return sum;
  }

  /** The union with other intervals, clipped to a stretch of time. */
  public Intervals and(Intervals other, long from, long to) {
    int size = start.length + other.start.length;
    long[] starts = Arrays.copyOf(start, size);
    long[] ends = Arrays.copyOf(end, size);
    System.arraycopy(other.start, 0, starts, start.length, other.start.length);
    System.arraycopy(other.end, 0, ends, end.length, other.end.length);
    return union(starts, ends, from, to);
  }

  /** The length of the part that lies in {@code [from, to)}. */
  public long overlap(long from, long to) {
    long sum = 0;
    for (int i = firstEndingAfter(from); i < start.length && start[i] < to; i++) {
      sum += Math.min(end[i], to) - Math.max(start[i], from);
    }
    return sum;
  }

  /**
   * The best agreement of one of these intervals with {@code [from, to)} in both edges: the largest
   * overlap over the length that either covers, 0 to 1.
   */
  public double agreement(long from, long to) {
    double best = 0;
    for (int i = firstEndingAfter(from); i < start.length && start[i] < to; i++) {
      double both = Math.min(end[i], to) - Math.max(start[i], from);
      best = Math.max(best, both / (Math.max(end[i], to) - Math.min(start[i], from)));
    }
    return best;
  }

  /** The index of the first interval that ends after a time; {@link #count()} if none does. */
  public int firstEndingAfter(long time) {
    int found = Arrays.binarySearch(end, time);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /**
   * The overlap with other intervals after these were moved by {@code shift} around a circle of the
   * given origin and circumference, {@code 0 <= shift < circumference}. O(intervals of both).
   */
  public long overlapShifted(Intervals other, long origin, long circumference, long shift) {
    // Moved intervals keep their order when those that wrap around come first.
    long wrapAt = origin + circumference - shift;
    long sum = 0;
    int j = 0;
    for (int turn = 0; turn < 2; turn++) {
      long move = turn == 0 ? shift - circumference : shift;
      long from = turn == 0 ? wrapAt : origin;
      long to = turn == 0 ? origin + circumference : wrapAt;
      for (int i = firstEndingAfter(from); i < start.length && start[i] < to; i++) {
        long low = Math.max(start[i], from) + move;
        long high = Math.min(end[i], to) + move;
        while (j < other.start.length && other.end[j] <= low) {
          j++;
        }
        for (int k = j; k < other.start.length && other.start[k] < high; k++) {
          sum += Math.min(high, other.end[k]) - Math.max(low, other.start[k]);
        }
      }
    }
    return sum;
  }
}
