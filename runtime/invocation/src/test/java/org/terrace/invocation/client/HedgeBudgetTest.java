package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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

/** The number of calls that go to a second replica for being slow. */
@Tag("real-processes")
class HedgeBudgetTest {
  private static final int CALLS = 100;
  private static final double SHARE = 0.05;

  /** On a busy machine even these replicas may give no sign of life in time. */
  private static final int SILENT_MAX = 10;

  /** After so many calls a client knows how long they usually take. */
  private static final int CALLS_UNTIL_KNOWN = 130;

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
  @Tag("long")
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
}
