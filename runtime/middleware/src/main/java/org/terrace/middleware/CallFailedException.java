package org.terrace.middleware;

import org.jspecify.annotations.Nullable;

/** A call that got no reply over one channel. */
public final class CallFailedException extends Exception {
  private final boolean executed;
  private final boolean timedOut;

  /**
   * A call without a reply.
   *
   * @param executed whether the replica may have run it
   * @param timedOut whether the time was up, rather than the connection gone
   */
  public CallFailedException(
      boolean executed, boolean timedOut, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.executed = executed;
    this.timedOut = timedOut;
  }

  /** Whether the replica may have run the call. */
  public boolean executed() {
    return executed;
  }

  /** Whether the time was up, rather than the connection gone. */
  public boolean timedOut() {
    return timedOut;
  }
}
