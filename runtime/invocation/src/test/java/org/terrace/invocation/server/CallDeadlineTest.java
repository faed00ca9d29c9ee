package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallRequest;
import org.terrace.testing.ManualTimeSource;

/** The time until which a call may begin. */
class CallDeadlineTest {
  private static final long MILLI = 1_000_000;

  private final ManualTimeSource time = new ManualTimeSource(0);

  private CallDeadline deadline(long remainingNanos, boolean replyWanted) {
    return new CallDeadline(
        time,
        new CallRequest(
            "seats",
            "sell",
            new RequestIdentity(1, 1),
            1,
            remainingNanos,
            replyWanted,
            new byte[0]));
  }

  @Test
  void aCallMayBeginUntilATwentiethOfItsTimeIsLeftAndNotLaterThanThat() {
    CallDeadline deadline = deadline(100 * MILLI, true);
    time.advanceNanos(95 * MILLI - 1);
    assertThat(deadline.getAsBoolean()).isFalse();
    time.advanceNanos(1);
    assertThat(deadline.getAsBoolean()).isTrue();
  }

  @Test
  void ofALongTimeFiftyMillisecondsAreLeft() {
    CallDeadline deadline = deadline(30_000 * MILLI, true);
    time.advanceNanos(29_950 * MILLI - 1);
    assertThat(deadline.getAsBoolean()).isFalse();
    time.advanceNanos(1);
    assertThat(deadline.getAsBoolean()).isTrue();
  }

  @Test
  void aCallThatNobodyWaitsForHasNone() {
    CallDeadline deadline = deadline(MILLI, false);
    time.advanceNanos(1_000 * MILLI);
    assertThat(deadline.getAsBoolean()).isFalse();
  }
}
