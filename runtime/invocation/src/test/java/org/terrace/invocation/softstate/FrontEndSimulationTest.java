package org.terrace.invocation.softstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.Outcome;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.SimulationOptions;

/** Random histories of calls and faults against the production front end, one a seed. */
class FrontEndSimulationTest {
  private static final int HISTORIES = 1_000;
  private static final long MILLI = SimulatedService.MILLI;

  @Test
  void everyCallEndsOnceInTimeAndTellsTheTruthOfItsEffect() {
    long calls = 0;
    long done = 0;
    long askedAgain = 0;
    long hedges = 0;
    for (long seed :
        Seeds.histories("everyCallEndsOnceInTimeAndTellsTheTruthOfItsEffect", HISTORIES)) {
      SimulatedService service = run(seed);
      assertThat(service.violations()).as("seed %d", seed).isEmpty();
      calls += service.calls.size();
      done += service.calls.values().stream().filter(c -> c.outcome == Outcome.DONE).count();
      askedAgain += service.frontEnd.counters().askedAgain();
      hedges += service.frontEnd.counters().hedges();
    }
    System.out.printf(
        "%d histories: %d calls, %d answered, %d asked again, %d hedges%n",
        HISTORIES, calls, done, askedAgain, hedges);
    assertThat(askedAgain).isPositive();
    assertThat(hedges).isPositive();
    assertThat(done).isGreaterThan(calls / 2);
  }

  private static SimulatedService run(long seed) {
    RandomGenerator random = Seeds.generator(seed);
    SimulatedService service =
        new SimulatedService(
            seed,
            SimulationOptions.swarm(random),
            1 + random.nextInt(5),
            SimulatedService.options(random));
    long durationNanos = 1_000 * MILLI;
    FaultPlan faults = FaultPlan.swarm(random);
    service.mayEndLate = faults.pauseMeanNanos() > 0;
    faults.unleash(service.simulation, durationNanos);
    SimulatedNode frontEnd = service.simulation.node(SimulatedService.FRONT_END);
    for (int i = 1; i <= 30; i++) {
      RequestIdentity identity = new RequestIdentity(seed, i);
      boolean isUpdate = random.nextBoolean();
      service.simulation.schedule(
          random.nextLong(durationNanos),
          () -> {
            if (frontEnd.isRunning() && !frontEnd.isPaused()) {
              service.begin(identity, isUpdate, 3_000 * MILLI);
            }
          });
    }
    service.simulation.runFor(durationNanos + 5_000 * MILLI);
    return service;
  }

  private static SimulatedService calm(int replicas, SoftStateOptions options) {
    SimulatedService service = new SimulatedService(1, SimulationOptions.calm(), replicas, options);
    service.simulation.runFor(MILLI);
    return service;
  }

  @Test
  void anUpdateGoesToAllAndOneAnswers() {
    SimulatedService service = calm(3, SoftStateOptions.defaults());
    for (int i = 1; i <= 300; i++) {
      service.begin(new RequestIdentity(7, i), true, 1_000 * MILLI);
      service.simulation.runFor(MILLI);
    }
    int[] answers = new int[3];
    for (SimulatedService.Call call : service.calls.values()) {
      assertThat(call.ran).hasSize(3);
      assertThat(call.askedToAnswer).hasSize(1);
      answers[service.names.indexOf(call.askedToAnswer.iterator().next())]++;
    }
    for (int count : answers) {
      assertThat(count).isBetween(60, 140);
    }
  }

  @Test
  void theNextInHashOrderAnswersForOneThatIsDown() {
    SimulatedService service = calm(3, SoftStateOptions.defaults());
    RequestIdentity identity = new RequestIdentity(7, 1);
    String first = AnswerOrder.of(identity, service.names).getFirst();
    service.simulation.node(first).crash();

    service.begin(identity, true, 1_000 * MILLI);
    service.simulation.runFor(10 * MILLI);

    SimulatedService.Call call = service.calls.get(identity);
    assertThat(call.outcome).isEqualTo(Outcome.DONE);
    assertThat(call.ends)
        .containsExactly("reply of " + AnswerOrder.of(identity, service.names).get(1));
    assertThat(call.sentTo.values()).allSatisfy(times -> assertThat(times).isLessThan(3));
  }

  @Test
  void readsLeaveAReplicaThatHasBecomeSlow() {
    SimulatedService service =
        calm(3, SoftStateOptions.defaults().withRedundancy(2).withHedgeShareMax(0));
    service.simulation.node("a").pause();
    service.simulation.runFor(400 * MILLI);
    for (int i = 1; i <= 50; i++) {
      service.begin(new RequestIdentity(7, i), false, 1_000 * MILLI);
      service.simulation.runFor(MILLI);
    }
    assertThat(service.calls.values())
        .allSatisfy(call -> assertThat(call.sentTo.keySet()).containsExactly("b", "c"));
  }

  @Test
  void hedgesKeepToTheirShare() {
    SimulatedService service = calm(3, SoftStateOptions.defaults().withHedgeShareMax(0.1));
    service.serviceNanos.replaceAll((name, nanos) -> 60 * MILLI);
    for (int i = 1; i <= 400; i++) {
      service.begin(new RequestIdentity(7, i), false, 1_000 * MILLI);
      service.simulation.runFor(70 * MILLI);
    }
    assertThat(service.frontEnd.counters().hedges()).isBetween(1L, 41L);
  }

  @Test
  void baselineDiscoveryAsksAllOnceAndThenTheOneThatRepliedFirst() {
    SimulatedService service =
        calm(3, SoftStateOptions.defaults().withDiscovery(SoftStateOptions.Discovery.FIRST_REPLY));
    service.serviceNanos.put("b", 10_000L);
    for (int i = 1; i <= 20; i++) {
      service.begin(new RequestIdentity(7, i), false, 1_000 * MILLI);
      service.simulation.runFor(MILLI);
    }
    assertThat(service.calls.get(new RequestIdentity(7, 1)).sentTo).hasSize(3);
    for (int i = 2; i <= 20; i++) {
      assertThat(service.calls.get(new RequestIdentity(7, i)).sentTo.keySet()).containsExactly("b");
    }
  }
}
