package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;

/** A call that finds no primary: the replicas have been told of the next one before the client. */
class NotPrimaryWaitTest {
  private static final long MILLI = 1_000_000;
  private static final CallReply NOT_PRIMARY =
      new CallReply(CallReply.Status.NOT_PRIMARY, new byte[0]);
  private static final Endpoint FIRST = new Endpoint("first", "terrace", "127.0.0.1", 1, "");
  private static final Endpoint SECOND = new Endpoint("second", "terrace", "127.0.0.1", 2, "");

  private final CallCore core =
      new CallCore(
          new CallPlan(true, true, 0, 0, 1_000 * MILLI, 1_000 * MILLI, false), new HedgeBudget(0));
  private int attempts;

  private static CallEvent.Candidates reference(long version, Endpoint... order) {
    return new CallEvent.Candidates(version, order[0].replica(), false, List.of(order));
  }

  /** Whoever is asked says that he is not the primary, until nobody is left to ask. */
  private void nobodyIs(List<CallEffect> begun, long nowNanos) {
    List<CallEffect> effects = begun;
    while (!effects.isEmpty()) {
      effects =
          effects.getFirst() instanceof CallEffect.Resolve
              ? core.step(new CallEvent.Resolved(reference(1, FIRST, SECOND)), nowNanos)
              : core.step(new CallEvent.Replied(attempts++, NOT_PRIMARY), nowNanos);
    }
    assertThat(core.isWaiting()).isTrue();
  }

  @Test
  void theFirstWaitsAreOfMilliseconds() {
    nobodyIs(core.step(new CallEvent.Begin(reference(1, FIRST, SECOND)), 0), 0);
    long nowNanos = 0;
    for (long waitMillis : new long[] {2, 4, 8}) {
      assertThat(core.nextTickNanos() - nowNanos).isEqualTo(waitMillis * MILLI);
      nowNanos = core.nextTickNanos();
      assertThat(core.step(new CallEvent.Tick(), nowNanos))
          .containsExactly(new CallEffect.Resolve());
      List<CallEffect> again =
          core.step(new CallEvent.Resolved(reference(1, FIRST, SECOND)), nowNanos);
      assertThat(again).containsExactly(new CallEffect.Send(attempts, FIRST));
      nobodyIs(again, nowNanos);
    }
  }

  @Test
  void aNoticeOfTheNextPrimaryEndsTheWait() {
    nobodyIs(core.step(new CallEvent.Begin(reference(1, FIRST, SECOND)), 0), 0);
    assertThat(core.step(new CallEvent.Noticed(reference(2, SECOND)), MILLI))
        .containsExactly(new CallEffect.Send(2, SECOND));
    assertThat(core.isWaiting()).isFalse();
  }
}
