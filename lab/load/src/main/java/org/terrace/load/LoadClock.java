package org.terrace.load;

import org.terrace.core.TimeSource;

/**
 * Tells the wall-clock time of moments of the monotonic clock, by reading both at its start: all
 * rows of a run are on one scale that never steps. Immutable and thread-safe.
 */
final class LoadClock {
  /** A thread may lose its processor between two readings, but not so often in a row. */
  private static final int READINGS = 10;

  private final TimeSource source;
  private final long originNanos;

  LoadClock(TimeSource source) {
    this.source = source;
    this.originNanos = originNanos(source);
  }

  TimeSource source() {
    return source;
  }

  /** Nanoseconds since the Unix epoch at a moment of the monotonic clock. */
  long epochNanos(long elapsedNanos) {
    return originNanos + elapsedNanos;
  }

  /** The distance that the wall clock has moved against the monotonic one since the start. */
  long driftNanos() {
    return originNanos(source) - originNanos;
  }

  /** The wall clock's distance from the monotonic one, by the readings closest to one another. */
  private static long originNanos(TimeSource source) {
    long closest = Long.MAX_VALUE;
    long origin = 0;
    for (int reading = 0; reading < READINGS; reading++) {
      long before = source.elapsedNanos();
      long epoch = source.epochNanos();
      long apart = source.elapsedNanos() - before;
      if (apart < closest) {
        closest = apart;
        origin = epoch - before - apart / 2;
      }
    }
    return origin;
  }
}
