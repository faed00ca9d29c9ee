package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * An estimate of how long a live replica takes to give a sign of life: the smoothed mean of the
 * latest times and four times their smoothed deviation. Thread-safe.
 *
 * <p>Source: Jacobson, "Congestion avoidance and control", 1988, appendix A (TCP's estimate of the
 * time until an acknowledgement, RFC 6298).
 */
final class SignEstimate {
  /** Longer than most pauses of scheduling and of young collections. */
  static final long PATIENCE_MIN_NANOS = 40_000_000L;

  static final long PATIENCE_MAX_NANOS = 500_000_000L;
  private static final int DEVIATIONS = 4;
  private static final double GAIN = 0.125;
  private static final double DEVIATION_GAIN = 0.25;

  @GuardedBy("this")
  private double mean;

  @GuardedBy("this")
  private double deviation;

  /** A sign came after so long. */
  synchronized void add(long nanos) {
    double error = nanos - mean;
    mean += GAIN * error;
    deviation += DEVIATION_GAIN * (Math.abs(error) - deviation);
  }

  /**
   * The time for which the next sign is awaited: the mean and four deviations, within the limits.
   */
  synchronized long patienceNanos() {
    return Math.clamp(
        (long) (mean + DEVIATIONS * deviation), PATIENCE_MIN_NANOS, PATIENCE_MAX_NANOS);
  }
}
