package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.Read;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.Endpoint;

/** The number of calls that go to a second replica for being slow. */
@Tag("real-processes")
class HedgeBudgetTest {
  private static final int CALLS = 100;
  private static final double SHARE = 0.05;

  /** On a busy machine even these replicas may give no sign of life in time. */
  private static final int SILENT_MAX = 10;

  /** After so many calls a client knows how long they usually take. */
  private static final int CALLS_UNTIL_KNOWN = 130;

  private static final CallEvent.Candidates TWO =
      new CallEvent.Candidates(
          1,
          "first",
          false,
          List.of(
              new Endpoint("first", "terrace", "127.0.0.1", 1, ""),
              new Endpoint("second", "terrace", "127.0.0.1", 2, "")));

  /** A service all of whose calls take longer than any hedge waits. */
  interface Slow {
    @Read
    int wait30Millis() throws InterruptedException;
  }

  private static ServiceServer replica(String name, AtomicInteger arrivals) {
    ServiceServer server = ServiceServer.open(ServerOptions.of(name));
    server.export(
        "slow",
        Slow.class,
        () -> {
          int arrival = arrivals.incrementAndGet(); // one that is given up is interrupted below
          new CountDownLatch(1).await(30, TimeUnit.MILLISECONDS);
          return arrival;
        },
        Style.WARM_PASSIVE);
    return server;
  }

  @Test
  void callsThatAreAlwaysSlowAreNotSentTwice() throws Exception {
    AtomicInteger atFirst = new AtomicInteger();
    AtomicInteger atSecond = new AtomicInteger();
    try (ServiceServer first = replica("first", atFirst);
        ServiceServer second = replica("second", atSecond);
        ServiceClient client =
            ServiceClient.open(
                ClientOptions.of(
                        Naming.fixed(
                            "slow", Style.WARM_PASSIVE, first.endpoint(), second.endpoint()))
                    .withHedging(Duration.ofMillis(5), SHARE))) {
      Slow slow = client.stub(Slow.class, "slow");
      for (int i = 0; i < CALLS; i++) {
        slow.wait30Millis();
      }
    }

    int hedges = atFirst.get() + atSecond.get() - CALLS;
    assertThat(hedges).isBetween(1, (int) (HedgeBudget.SAVED_MAX + SHARE * CALLS) + SILENT_MAX);
  }

  @Test
  void noCallIsSentTwiceForBeingSlowWhereMostAre() throws Exception {
    AtomicInteger arrivals = new AtomicInteger();
    try (ServiceServer first = replica("first", arrivals);
        ServiceServer second = replica("second", arrivals);
        ServiceClient client =
            ServiceClient.open(
                ClientOptions.of(
                        Naming.fixed(
                            "slow", Style.WARM_PASSIVE, first.endpoint(), second.endpoint()))
                    .withHedging(Duration.ofMillis(5), 1))) {
      Slow slow = client.stub(Slow.class, "slow");
      for (int i = 0; i < CALLS_UNTIL_KNOWN; i++) {
        slow.wait30Millis();
      }
      int before = arrivals.get();
      for (int i = 0; i < CALLS; i++) {
        slow.wait30Millis();
      }
      assertThat(arrivals.get() - before - CALLS).isLessThanOrEqualTo(SILENT_MAX);
    }
  }

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
      CallCore core = new CallCore(new CallPlan(true, true, 0, 0, 100, 100), budget);
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
