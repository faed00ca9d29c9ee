package org.terrace.collections.replication;

/** The progress of one update towards as many replicas as its level asks for. Thread-safe. */
public interface Acknowledgement {
  /** Whether as many replicas hold the update by now as its level asks for. */
  boolean isAcknowledged();

  /**
   * Waits until as many replicas hold the update as its level asks for. An interrupt does not end
   * the wait, and is seen again afterwards.
   *
   * @param timeoutNanos how long to wait at most
   * @param spinNanos how long of it to wait actively, which saves the time of a wake-up and costs a
   *     processor
   * @return whether they did before the time was over
   */
  boolean await(long timeoutNanos, long spinNanos);
}
