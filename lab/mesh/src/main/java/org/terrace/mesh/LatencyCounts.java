package org.terrace.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.scaling.LatencyHistogram;

/**
 * A counter of response times in bins whose ends are powers of two microseconds cut in {@value
 * #STEPS}, so that a bin is at most 1/{@value #STEPS} wider than what lies below it. Confined to
 * one thread.
 */
final class LatencyCounts {
  /** Bins from one power of two to the next; a power of two itself. */
  static final int STEPS = 32;

  private static final int STEP_BITS = Integer.numberOfTrailingZeros(STEPS);
  private static final long NANOS_PER_MICRO = 1_000;

  /** The counts by the upper end of their bin, in microseconds. */
  private final TreeMap<Long, Long> counts = new TreeMap<>();

  /** Counts a response time. */
  void add(long nanos) {
    long micros = Math.max(1, Math.ceilDiv(nanos, NANOS_PER_MICRO));
    counts.merge(upperEnd(micros), 1L, Long::sum);
  }

  /** The end, at least as large as the time itself, of the bin of a time in microseconds. */
  static long upperEnd(long micros) {
    int shift = Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(micros));
    return Math.ceilDiv(micros, 1L << shift) << shift;
  }

  /** The end of the bin before that with an end. */
  private static long lowerEnd(long upperEnd) {
    long below = upperEnd - 1;
    int shift =
        Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(Math.max(1, below)));
    return below >> shift << shift;
  }

  /** The histogram, in which only the ends of bins that hold something stand. */
  LatencyHistogram histogram() {
    List<Double> boundaries = new ArrayList<>();
    List<Long> counted = new ArrayList<>();
    long last = 0;
    for (Map.Entry<Long, Long> bin : counts.entrySet()) {
      long from = lowerEnd(bin.getKey());
      if (from > last) {
        boundaries.add((double) from);
        counted.add(0L);
      }
      boundaries.add((double) bin.getKey());
      counted.add(bin.getValue());
      last = bin.getKey();
    }
    counted.add(0L);
    return LatencyHistogram.of(
        boundaries.stream().mapToDouble(Double::doubleValue).toArray(),
        counted.stream().mapToLong(Long::longValue).toArray());
  }
}
