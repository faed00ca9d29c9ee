package org.terrace.hosts;

/** A watch of what the servers of one host use, and the keeper of their limits. Thread-safe. */
public interface ServerWatch extends AutoCloseable {
  /** Puts the limits of processor time in force, and starts the governors. */
  void enforceLimits();

  /** Ends the watch, and tells what it read; once. */
  WatchReadings end();

  /** Ends the watch without its readings; harmless when it has ended. */
  @Override
  void close();
}
