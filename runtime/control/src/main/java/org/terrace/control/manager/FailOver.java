package org.terrace.control.manager;

import org.jspecify.annotations.Nullable;
import org.terrace.control.detector.Verdict;

/**
 * The loss of a replica and what was done about it; times are of the manager's monotonic clock, in
 * nanoseconds.
 *
 * @param replica who was lost
 * @param verdict crashed or hung
 * @param wasPrimary whether the lost one was the primary
 * @param silenceNanos how long it had been silent when it was declared failed
 * @param failedNanos when it was declared failed
 * @param referredNanos when a reference without it was chosen; null until then
 * @param restoredNanos when the service had its degree again; null until then
 */
record FailOver(
    String replica,
    Verdict verdict,
    boolean wasPrimary,
    long silenceNanos,
    long failedNanos,
    @Nullable Long referredNanos,
    @Nullable Long restoredNanos) {

  static FailOver begin(
      String replica, Verdict verdict, boolean wasPrimary, long silenceNanos, long nowNanos) {
    return new FailOver(replica, verdict, wasPrimary, silenceNanos, nowNanos, null, null);
  }

  FailOver referred(long nowNanos) {
    return referredNanos != null
        ? this
        : new FailOver(
            replica, verdict, wasPrimary, silenceNanos, failedNanos, nowNanos, restoredNanos);
  }

  FailOver restored(long nowNanos) {
    return restoredNanos != null
        ? this
        : new FailOver(
            replica, verdict, wasPrimary, silenceNanos, failedNanos, referredNanos, nowNanos);
  }
}
