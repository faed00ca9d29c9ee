package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The calls that may yet be sent to a second replica for being slow: each call earns a share of
 * one, so that replicas that are slow for all calls are not given twice the load. Thread-safe.
 *
 * <p>Source: Dean, Barroso, "The tail at scale", 2013.
 */
final class HedgeBudget {
  /** What may be saved up, so that a replica that hangs costs no call of a burst its deadline. */
  static final double SAVED_MAX = 20;

  private final double share;

  @GuardedBy("this")
  private double saved;

  /** A full budget that earns this share of each call; empty for ever if the share is 0. */
  HedgeBudget(double share) {
    this.share = share;
    saved = share == 0 ? 0 : SAVED_MAX;
  }

  /** A call was made. */
  synchronized void earn() {
    saved = Math.min(SAVED_MAX, saved + share);
  }

  /** Whether one more hedge may be sent: then it is paid for. */
  synchronized boolean spend() {
    if (saved < 1) {
      return false;
    }
    saved--;
    return true;
  }
}
