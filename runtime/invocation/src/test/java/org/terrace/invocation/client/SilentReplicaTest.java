package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.middleware.Endpoint;

/** A call that waits for a replica which may be slow, and may have stopped. */
class SilentReplicaTest {
  private static final long HEDGE_NANOS = 5;
  private static final long SIGN_NANOS = 15;
  private static final Endpoint FIRST = new Endpoint("first", "terrace", "127.0.0.1", 1, "");
  private static final Endpoint SECOND = new Endpoint("second", "terrace", "127.0.0.1", 2, "");

  private final HedgeBudget spent = new HedgeBudget(0);
  private final CallCore core =
      new CallCore(new CallPlan(true, true, HEDGE_NANOS, SIGN_NANOS, 1_000, 1_000, false), spent);

  private void begin() {
    assertThat(
            core.step(
                new CallEvent.Begin(
                    new CallEvent.Candidates(1, "first", false, List.of(FIRST, SECOND))),
                0))
        .containsExactly(new CallEffect.Send(0, FIRST));
    assertThat(core.nextTickNanos()).isEqualTo(HEDGE_NANOS);
    assertThat(core.step(new CallEvent.Tick(), HEDGE_NANOS)).isEmpty();
    assertThat(core.nextTickNanos()).isEqualTo(SIGN_NANOS);
    assertThat(core.step(new CallEvent.Tick(), SIGN_NANOS))
        .containsExactly(new CallEffect.AskForSign(0));
  }

  @Test
  void aSilentOneIsNotWaitedForThoughNothingIsLeftForHedges() {
    begin();
    assertThat(core.step(new CallEvent.Sign(0, false), 20))
        .containsExactly(new CallEffect.Send(1, SECOND));
    assertThat(core.step(new CallEvent.Sign(0, false), 21)).isEmpty();
  }

  @Test
  void aSlowOneIsAskedAgainAfterAsLongAsTheCallHasTakenAndNothingIsSentTwice() {
    begin();
    assertThat(core.step(new CallEvent.Sign(0, true), 20)).isEmpty();
    assertThat(core.nextTickNanos()).isEqualTo(40);
    assertThat(core.step(new CallEvent.Tick(), 40)).containsExactly(new CallEffect.AskForSign(0));
    assertThat(core.step(new CallEvent.Sign(0, true), 45)).isEmpty();
    assertThat(core.nextTickNanos()).isEqualTo(90);
  }

  @Test
  void theSignOfAnAttemptThatIsOverChangesNothing() {
    begin();
    assertThat(core.step(new CallEvent.Lost(0, true, false, "it crashed"), 18))
        .containsExactly(new CallEffect.Send(1, SECOND));
    assertThat(core.step(new CallEvent.Sign(0, false), 20)).isEmpty();
  }

  @Test
  void aReplicaIsWaitedForLongerWhereSignsTakeLong() {
    SignEstimate signs = new SignEstimate();
    assertThat(signs.patienceNanos()).isEqualTo(SignEstimate.PATIENCE_MIN_NANOS);
    for (int i = 0; i < 50; i++) {
      signs.add(60_000_000 + i % 2 * 20_000_000);
    }
    assertThat(signs.patienceNanos()).isBetween(80_000_000L, 160_000_000L);
    for (int i = 0; i < 50; i++) {
      signs.add(200_000);
    }
    assertThat(signs.patienceNanos()).isEqualTo(SignEstimate.PATIENCE_MIN_NANOS);
    for (int i = 0; i < 50; i++) {
      signs.add(2_000_000_000);
    }
    assertThat(signs.patienceNanos()).isEqualTo(SignEstimate.PATIENCE_MAX_NANOS);
  }
}
