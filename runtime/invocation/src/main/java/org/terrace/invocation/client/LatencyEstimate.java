package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The median and the 95th percentile of the latest 250 to 500 latencies, of a histogram whose cells
 * are an eighth of a power of two wide and whose counts are halved now and again, so that a cold
 * start is soon forgotten. Thread-safe; adding costs tens of nanoseconds.
 *
 * <p>Source of the percentile: Dean and Barroso, "The tail at scale" (2013).
 */
final class LatencyEstimate {
  private static final int CELLS_PER_OCTAVE_BITS = 3;
  private static final int CELLS = Long.SIZE << CELLS_PER_OCTAVE_BITS;
  private static final int SAMPLES_MIN = 100;
  private static final int SAMPLES_MAX = 512;
  private static final int RECOMPUTE_EVERY = 64;
  private static final double QUANTILE = 0.95;
  private static final double MEDIAN = 0.5;

  @GuardedBy("this")
  private final int[] counts = new int[CELLS];

  @GuardedBy("this")
  private int total;

  @GuardedBy("this")
  private int sinceComputed;

  private volatile long estimateNanos;
  private volatile long medianNanos;

  synchronized void add(long nanos) {
    counts[cell(Math.max(1, nanos))]++;
    total++;
    if (++sinceComputed >= RECOMPUTE_EVERY && total >= SAMPLES_MIN) {
      sinceComputed = 0;
      estimateNanos = compute(QUANTILE);
      medianNanos = compute(MEDIAN);
      if (total >= SAMPLES_MAX) {
        halve();
      }
    }
  }

  /** The upper edge of the percentile's cell in nanoseconds; 0 while there are too few samples. */
  long nanos() {
    return estimateNanos;
  }

  /** The upper edge of the median's cell in nanoseconds; 0 while there are too few samples. */
  long medianNanos() {
    return medianNanos;
  }

  @GuardedBy("this")
  private long compute(double quantile) {
    long below = 0;
    for (int cell = 0; cell < CELLS; cell++) {
      below += counts[cell];
      if (below >= quantile * total) {
        return upperEdge(cell);
      }
    }
    return upperEdge(CELLS - 1);
  }

  @GuardedBy("this")
  private void halve() {
    total = 0;
    for (int cell = 0; cell < CELLS; cell++) {
      counts[cell] /= 2;
      total += counts[cell];
    }
  }

  private static int cell(long nanos) {
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    long within =
        octave >= CELLS_PER_OCTAVE_BITS
            ? nanos >>> (octave - CELLS_PER_OCTAVE_BITS)
            : nanos << (CELLS_PER_OCTAVE_BITS - octave);
    return (octave << CELLS_PER_OCTAVE_BITS) | (int) (within & ((1 << CELLS_PER_OCTAVE_BITS) - 1));
  }

  private static long upperEdge(int cell) {
    int octave = Math.min(cell >>> CELLS_PER_OCTAVE_BITS, Long.SIZE - 3);
    double within = (cell & ((1 << CELLS_PER_OCTAVE_BITS) - 1)) + 1.0;
    return (long) ((1L << octave) * (1 + within / (1 << CELLS_PER_OCTAVE_BITS)));
  }
}
