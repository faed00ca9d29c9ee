package org.terrace.collections.replication;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.terrace.core.TimeSource;

/**
 * The settings of a replica of the collections. Immutable.
 *
 * @param gossipPeriod how often it compares itself with one other replica, 1 ms or more
 * @param writeTimeout how long an update may wait for acknowledgement
 * @param acknowledgementSpin how much of that wait is active
 * @param clockSkewMax how far ahead another replica's stamps may be before they are ignored and
 *     counted
 * @param logBytesMax how many bytes of recent updates are kept for sending again
 * @param messageBytesMax how large a message of repair may be, 1 KB to 4 MB
 * @param random picks partners and jitter
 * @param time the clocks
 */
public record CollectionsOptions(
    Duration gossipPeriod,
    Duration writeTimeout,
    Duration acknowledgementSpin,
    Duration clockSkewMax,
    long logBytesMax,
    int messageBytesMax,
    RandomGenerator random,
    TimeSource time) {
  private static final int KILO = 1 << 10;

  /** Checks the ranges. */
  public CollectionsOptions {
    if (gossipPeriod.toMillis() < 1) {
      throw new IllegalArgumentException("gossipPeriod is 1 ms or more, got " + gossipPeriod);
    }
    if (!writeTimeout.isPositive()
        || acknowledgementSpin.isNegative()
        || clockSkewMax.isNegative()) {
      throw new IllegalArgumentException(
          "writeTimeout is positive, acknowledgementSpin and clockSkewMax are not negative");
    }
    if (logBytesMax < 0) {
      throw new IllegalArgumentException("logBytesMax is 0 or more, got " + logBytesMax);
    }
    if (messageBytesMax < KILO || messageBytesMax > 4 * KILO * KILO) {
      throw new IllegalArgumentException("messageBytesMax is 1 KB to 4 MB, got " + messageBytesMax);
    }
  }

  /** Gossips each 100 ms, waits at most 5 s, and keeps up to 64 MB of updates. */
  public static CollectionsOptions defaults() {
    return new CollectionsOptions(
        Duration.ofMillis(100),
        Duration.ofSeconds(5),
        Duration.ZERO,
        Duration.ofMinutes(1),
        64L * KILO * KILO,
        256 * KILO,
        RandomGenerator.getDefault(),
        TimeSource.system());
  }

  /** The same with another gossip period. */
  public CollectionsOptions withGossipPeriod(Duration period) {
    return new CollectionsOptions(
        period,
        writeTimeout,
        acknowledgementSpin,
        clockSkewMax,
        logBytesMax,
        messageBytesMax,
        random,
        time);
  }

  /** The same with another wait for acknowledgement, and another active part of it. */
  public CollectionsOptions withWriteTimeout(Duration timeout, Duration spin) {
    return new CollectionsOptions(
        gossipPeriod, timeout, spin, clockSkewMax, logBytesMax, messageBytesMax, random, time);
  }

  /** The same with other clocks. */
  public CollectionsOptions withTime(TimeSource newTime) {
    return new CollectionsOptions(
        gossipPeriod,
        writeTimeout,
        acknowledgementSpin,
        clockSkewMax,
        logBytesMax,
        messageBytesMax,
        random,
        newTime);
  }
}
