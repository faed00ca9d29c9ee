package org.terrace.evidence;

import org.terrace.core.TimeSource;

/**
 * The distance between the wall clock and the monotonic clock of this machine, with which moments
 * that another process took from the monotonic clock are put on the wall clock. On Linux a JVM's
 * {@code nanoTime} is CLOCK_MONOTONIC, the same for all processes. Immutable.
 *
 * @param offsetNanos what has to be added to a monotonic time for nanoseconds since the Unix epoch
 * @param errorNanos how far the offset may be off at most
 */
public record MonotonicClock(long offsetNanos, long errorNanos) {
  private static final int READINGS = 50;

  /** Measures the distance: the reading of both clocks with the least time between them counts. */
  public static MonotonicClock measure(TimeSource time) {
    long best = Long.MAX_VALUE;
    long offset = 0;
    for (int reading = 0; reading < READINGS; reading++) {
      long before = time.elapsedNanos();
      long epoch = time.epochNanos();
      long after = time.elapsedNanos();
      if (after - before < best) {
        best = after - before;
        offset = epoch - (before + (after - before) / 2);
      }
    }
    // The wall clock itself is read in microseconds.
    return new MonotonicClock(offset, best / 2 + 1_000);
  }

  /** A monotonic time as nanoseconds since the Unix epoch. */
  public long toEpochNanos(long monotonicNanos) {
    return monotonicNanos + offsetNanos;
  }
}
