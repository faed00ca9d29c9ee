package org.terrace.invocation.server;

import java.util.function.BooleanSupplier;
import org.terrace.core.TimeSource;
import org.terrace.middleware.CallRequest;

/**
 * The time until which a call may begin at this replica: somewhat before its caller stops to wait,
 * so that the caller can still be told that it did not. True once it is over. Immutable.
 *
 * <p>It is counted from the arrival of the call by this replica's monotonic clock, so that no two
 * clocks are compared: what the call took to arrive makes it later, never earlier. A call whose
 * reply nobody waits for has none.
 */
final class CallDeadline implements BooleanSupplier {
  private static final long SHARE = 20;
  private static final long MARGIN_NANOS_MAX = 50_000_000;

  private final TimeSource time;
  private final boolean isWaitedFor;
  private final long arrivalNanos;
  private final long beginNanosMax;

  /** The deadline of a call that arrives now. */
  CallDeadline(TimeSource time, CallRequest request) {
    this.time = time;
    this.isWaitedFor = request.replyWanted();
    this.arrivalNanos = time.elapsedNanos();
    long remaining = request.remainingNanos();
    this.beginNanosMax = remaining - Math.min(remaining / SHARE, MARGIN_NANOS_MAX);
  }

  /** Whether it is over. */
  @Override
  public boolean getAsBoolean() {
    return isWaitedFor && time.elapsedNanos() - arrivalNanos >= beginNanosMax;
  }
}
