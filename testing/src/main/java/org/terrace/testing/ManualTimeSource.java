package org.terrace.testing;

import java.util.concurrent.atomic.AtomicLong;
import org.terrace.core.TimeSource;

/**
 * A time source that stands still until a test moves it: both clocks advance together, by exactly
 * what the test says. Thread-safe.
 */
public final class ManualTimeSource implements TimeSource {
  private final long epochOriginNanos;
  private final AtomicLong elapsedNanos = new AtomicLong();

  /** A source whose wall clock starts at the given nanoseconds since the Unix epoch. */
  public ManualTimeSource(long epochOriginNanos) {
    this.epochOriginNanos = epochOriginNanos;
  }

  /** Moves both clocks forward. */
  public void advanceNanos(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("time only moves forward: " + nanos);
    }
    elapsedNanos.addAndGet(nanos);
  }

  @Override
  public long epochNanos() {
    return epochOriginNanos + elapsedNanos.get();
  }

  @Override
  public long elapsedNanos() {
    return elapsedNanos.get();
  }
}
