package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/** Calls to a replica that is really stopped, more at once than a client may hedge. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class StoppedReplicaTest {
  private static final int CALLS = 64;
  private static final int WARM_CALLS = 20;
  private static final double NEARLY_NOTHING = 0.000_001;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @Test
  void noCallWaitsUntilItsAttemptIsGivenUpThoughNothingIsLeftForHedges() throws Exception {
    try (ReplicaProcess first = ReplicaProcess.start("first");
        ReplicaProcess second = ReplicaProcess.start("second");
        ServiceClient client =
            ServiceClient.open(
                ClientOptions.of(
                        Naming.fixed(
                            "lots", Style.WARM_PASSIVE, first.endpoint(), second.endpoint()))
                    .withHedging(Duration.ofMillis(15), NEARLY_NOTHING)
                    .withDeadline(DEADLINE))) {
      ReplicaProcess.Lots lots = client.stub(ReplicaProcess.Lots.class, "lots");
      for (int i = 0; i < WARM_CALLS; i++) {
        assertThat(lots.enter(i)).isEqualTo(i + 1);
      }
      first.signal("STOP");
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        int lot = i;
        calls.add(() -> lots.enter(lot));
      }

      try (ExecutorService callers = Executors.newFixedThreadPool(CALLS)) {
        List<Future<Integer>> answers = callers.invokeAll(calls);
        for (int i = 0; i < CALLS; i++) {
          assertThat(answers.get(i).get()).isEqualTo(i + 1);
        }
      }

      assertThat(client.attempts()).hasSizeGreaterThan(CALLS);
      assertThat(client.attempts()).noneMatch(StoppedReplicaTest::gaveUp);
    }
  }

  private static boolean gaveUp(CallRecord call) {
    return call.steps().stream()
        .anyMatch(step ->
            step instanceof CallStep.Attempt attempt
                && attempt.ending() == CallStep.Ending.TIMED_OUT);
  }
}
