package org.terrace.core;

import java.time.Instant;

/** The clocks of this machine. */
enum SystemTimeSource implements TimeSource {
  INSTANCE;

  @Override
  public long epochNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  @Override
  public long elapsedNanos() {
    return System.nanoTime();
  }
}
