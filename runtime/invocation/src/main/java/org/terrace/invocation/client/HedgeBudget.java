package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The budget of what a client sends again: each call earns a share of one, and whatever is sent
 * once more is paid for, a hedge for a slow reply as well as a retry after a failure. A hedge is
 * refused when nothing is left, a retry never, since its call would fail: so where calls fail and
 * are sent again, none is sent twice for being slow on top of it. Thread-safe.
 *
 * <p>Decision: {@code docs/decisions/0206}. Source: Dean, Barroso, "The tail at scale", 2013.
 */
final class HedgeBudget implements CallCore.Budget {
  /**
   * The most hedges that may be saved up, so that a hanging replica costs no call of a burst its
   * deadline.
   */
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

  /** A call is sent again after a failure. */
  @Override
  public synchronized void retried() {
    saved = Math.max(0, saved - 1);
  }

  /** Whether one more hedge may be sent: then it is paid for. */
  @Override
  public synchronized boolean mayHedge() {
    if (saved < 1) {
      return false;
    }
    saved--;
    return true;
  }
}
