package org.terrace.collections.replication;

/** The progress of one update towards as many replicas as its level asks for. Thread-safe. */
public interface Acknowledgement {
  /** Whether it is, by now. */
  boolean isAcknowledged();

  /**
   * Waits until it is, and says so, or until the time is over. An interrupt does not end the wait,
   * and is seen again afterwards.
   *
   * @param timeoutNanos how long to wait at most
   * @param spinNanos how long of it to wait actively, which saves the time of a wake-up and costs a
   *     processor
   */
  boolean await(long timeoutNanos, long spinNanos);
}
