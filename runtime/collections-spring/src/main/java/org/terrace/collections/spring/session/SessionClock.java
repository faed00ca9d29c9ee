package org.terrace.collections.spring.session;

import java.time.Instant;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.core.TimeSource;

/**
 * This server's clock, which is that of Spring's filters, beside the time that the servers agree
 * about, which is what lies in the map: so no server's wild clock ends the sessions of others.
 * Thread-safe.
 */
record SessionClock(ReplicatedCollections collections, TimeSource time) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The present moment of this server's clock. */
  Instant now() {
    return Instant.ofEpochMilli(ownMillis());
  }

  private long ownMillis() {
    return time.epochNanos() / NANOS_PER_MILLI;
  }

  /** The time that the servers agree about. */
  long agreedMillis() {
    return collections.agreedEpochMillis();
  }

  /** A moment of this server's clock by the agreed time. */
  long agreedMillis(Instant own) {
    return own.toEpochMilli() + agreedMillis() - ownMillis();
  }

  /** A moment of the agreed time by this server's clock. */
  Instant ownTime(long agreedMillis) {
    return Instant.ofEpochMilli(agreedMillis - agreedMillis() + ownMillis());
  }
}
