package org.terrace.invocation.retention;

import java.time.Duration;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The lifetimes of replies, clients and locks. Immutable.
 *
 * @param lease how long a client that sends nothing is remembered: when it is over, the client's
 *     replies are deleted and its later requests refused; 1 s or more, an hour by default
 * @param collectionInterval how often acknowledged replies are deleted and leases renewed; 10 ms or
 *     more, a second by default
 * @param idleLimit how long a call may be in its transaction without asking anything of the
 *     database, before the database rolls it back: a primary that hangs holds its locks no longer;
 *     10 ms or more, two seconds by default
 * @param lockLimit how long a call waits for a lock, another copy of itself included; 10 ms or
 *     more, five seconds by default
 */
public record RetentionOptions(
    Duration lease, Duration collectionInterval, Duration idleLimit, Duration lockLimit) {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

  /** Refuses times that are too short to mean anything. */
  public RetentionOptions {
    check("lease", lease, SHORTEST_LEASE);
    check("collection interval", collectionInterval, SHORTEST);
    check("idle limit", idleLimit, SHORTEST);
    check("lock limit", lockLimit, SHORTEST);
  }

  /** The defaults. */
  public static RetentionOptions defaults() {
    return new RetentionOptions(
        Duration.ofHours(1), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5));
  }

  /** The same with another lease and interval of collection. */
  public RetentionOptions withLease(Duration newLease, Duration newCollectionInterval) {
    return new RetentionOptions(newLease, newCollectionInterval, idleLimit, lockLimit);
  }

  /** The same with other limits of idle time and of waiting for locks. */
  public RetentionOptions withLimits(Duration newIdleLimit, Duration newLockLimit) {
    return new RetentionOptions(lease, collectionInterval, newIdleLimit, newLockLimit);
  }

  private static void check(String name, Duration value, Duration shortest) {
    if (value.compareTo(shortest) < 0) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "The %s of retained replies is %s; expected %s or more."
              .formatted(name, value, shortest));
    }
  }
}
