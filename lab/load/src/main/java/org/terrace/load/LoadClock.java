package org.terrace.load;

import org.terrace.core.TimeSource;

/**
 * Tells the wall-clock time of moments of the monotonic clock, by reading both once: all rows of a
 * run are on one scale that never steps. Immutable and thread-safe.
 */
final class LoadClock {
  private final TimeSource source;
  private final long originNanos;

  LoadClock(TimeSource source) {
    this.source = source;
    this.originNanos = source.epochNanos() - source.elapsedNanos();
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
    return source.epochNanos() - source.elapsedNanos() - originNanos;
  }
}
