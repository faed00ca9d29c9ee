package org.terrace.hosts;

import java.util.Set;

/** A watch of what the servers of one host use, and the keeper of their limits. Thread-safe. */
public interface ServerWatch extends AutoCloseable {
  /** Puts the limits of processor time in force, starts the governors, and tells of the limits. */
  LimitsInForce enforceLimits();

  /** Ends the watch, and tells what it read; once. */
  WatchReadings end();

  /** Ends the watch without its readings; harmless when it has ended. */
  @Override
  void close();

  /**
   * The limits of processor time that a host has put in force. Immutable.
   *
   * @param sinceNanos the moment at which all of them were, in nanoseconds since the Unix epoch
   * @param servers the servers that have one
   */
  record LimitsInForce(long sinceNanos, Set<String> servers) {
    /** Copies the servers. */
    public LimitsInForce {
      servers = Set.copyOf(servers);
    }
  }
}
