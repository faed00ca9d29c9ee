package org.terrace.collections.structures;

import org.terrace.core.TimeSource;

/**
 * The time of one step, read once: by this machine's monotonic clock and by its wall clock.
 *
 * @param elapsedNanos by the monotonic clock
 * @param epochNanos since 1970
 */
public record StepTime(long elapsedNanos, long epochNanos) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The present moment. */
  public static StepTime of(TimeSource time) {
    return new StepTime(time.elapsedNanos(), time.epochNanos());
  }

  /** The monotonic clock in milliseconds. */
  public long elapsedMillis() {
    return elapsedNanos / NANOS_PER_MILLI;
  }

  /** The wall clock, in milliseconds since 1970. */
  public long wallMillis() {
    return epochNanos / NANOS_PER_MILLI;
  }
}
