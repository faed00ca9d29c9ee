package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.middleware.Endpoint;

/** The budget of calls that go to a second replica, and what is paid from it, step by step. */
class HedgeBudgetCoreTest {
  private static final CallEvent.Candidates TWO =
      new CallEvent.Candidates(
          1,
          "first",
          false,
          List.of(
              new Endpoint("first", "terrace", "127.0.0.1", 1, ""),
              new Endpoint("second", "terrace", "127.0.0.1", 2, "")));

  @Test
  void aHedgeWaitsForMostCallsAsLongAsItMayAndForSlowOnesLonger() {
    long max = 15_000_000;
    LatencyEstimate latencies = new LatencyEstimate();
    assertThat(Calls.hedgeNanos(latencies, max)).isEqualTo(max);
    for (int i = 0; i < 128; i++) {
      latencies.add(i % 16 == 0 ? 30_000_000 : 1_000_000);
    }
    assertThat(Calls.hedgeNanos(latencies, max)).isEqualTo(max);
    for (int i = 0; i < 1_024; i++) {
      latencies.add(30_000_000);
    }
    assertThat(Calls.hedgeNanos(latencies, max)).isBetween(60_000_000L, 80_000_000L);
  }

  @Test
  void aRetryIsPaidForByTheSameBudgetAndNeverRefused() {
    HedgeBudget budget = new HedgeBudget(0.5);
    for (int call = 0; call < 2 * HedgeBudget.SAVED_MAX; call++) {
      CallCore core = new CallCore(new CallPlan(true, true, 0, 0, 100, 100, false), budget);
      core.step(new CallEvent.Begin(TWO), 0);
      assertThat(core.step(new CallEvent.Lost(0, true, false, "it crashed"), 1))
          .containsExactly(new CallEffect.Send(1, TWO.order().getLast()));
    }
    assertThat(budget.mayHedge()).isFalse();
    budget.earn();
    budget.earn();
    assertThat(budget.mayHedge()).isTrue();
  }

  @Test
  void whatIsNotEarnedIsNotSpent() {
    HedgeBudget budget = new HedgeBudget(0.5);
    for (int i = 0; i < HedgeBudget.SAVED_MAX; i++) {
      assertThat(budget.mayHedge()).isTrue();
    }
    assertThat(budget.mayHedge()).isFalse();
    budget.earn();
    assertThat(budget.mayHedge()).isFalse();
    budget.earn();
    assertThat(budget.mayHedge()).isTrue();
    assertThat(new HedgeBudget(0).mayHedge()).isFalse();
  }
}
