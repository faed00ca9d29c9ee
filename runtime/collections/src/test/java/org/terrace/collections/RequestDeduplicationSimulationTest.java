package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.core.RequestIdentity;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulationOptions;

/** Requests that all replicas run and one answers, sent again at random, under faults. */
class RequestDeduplicationSimulationTest {
  private static final int HISTORIES = Depth.of(500, 40);
  private static final int HISTORIES_TO_FIND = 4_000;
  private static final long MILLI = SimulatedRequests.MILLI;

  @Test
  void everyRequestIsDecidedAndCountsOnceOnAllReplicas() {
    long requests = 0;
    long twice = 0;
    long byAge = 0;
    long elsewhere = 0;
    for (long seed :
        Seeds.histories("everyRequestIsDecidedAndCountsOnceOnAllReplicas", HISTORIES)) {
      SimulatedRequests service = run(seed, DecidedTwice::new);
      assertThat(service.violations()).as("seed %d", seed).isEmpty();
      requests += service.requests.size();
      for (SimulatedRequests.Site site : service.sites.values()) {
        twice += site.deduplication().metrics().decidedTwice();
        byAge += site.deduplication().metrics().decidedByAge();
        elsewhere += site.deduplication().metrics().decidedElsewhere();
      }
    }
    System.out.printf(
        "%d histories: %d requests, %d dropped for their authority's, %d decided by age, %d"
            + " twice%n",
        HISTORIES, requests, elsewhere, byAge, twice);
    assertThat(elsewhere).isPositive();
    assertThat(byAge).isPositive();
    assertThat(twice).isGreaterThanOrEqualTo(Depth.of(1, 0));
  }

  @Test
  void theHistoriesFindOutWhoLeavesItToADeadReplicaToTakeItsEffectsBack() {
    long first = Seeds.next("theHistoriesFindOutWhoLeavesItToADeadReplicaToTakeItsEffectsBack");
    boolean found = false;
    for (long seed = first; seed < first + HISTORIES_TO_FIND && !found; seed++) {
      found = !run(seed, PlantedFaults.LeftToItsWriter::new).violations().isEmpty();
    }
    assertThat(found).isTrue();
  }

  /** Requests and faults for a virtual second, then peace until all is decided and agreed. */
  private static SimulatedRequests run(
      long seed, Function<LocalWrites, DecidedTwice> decidedTwice) {
    RandomGenerator random = Seeds.generator(seed);
    SimulatedRequests service =
        new SimulatedRequests(
            seed, SimulationOptions.swarm(random), 2 + random.nextInt(3), decidedTwice);
    long durationNanos = 1_000 * MILLI;
    FaultPlan.swarm(random).unleash(service.simulation, durationNanos);
    for (int i = 1; i <= 25; i++) {
      SimulatedRequests.Request request =
          new SimulatedRequests.Request(
              new RequestIdentity(1 + random.nextInt(2), i), "k" + random.nextInt(4));
      request.refused = random.nextInt(8) == 0;
      long begin = random.nextLong(durationNanos);
      List<String> order = new ArrayList<>(service.names);
      Collections.shuffle(order, Random.from(random));
      for (int place = 0; place < order.size(); place++) {
        String name = order.get(place);
        boolean answers = place == 0 && random.nextInt(10) > 0;
        long delay = begin + random.nextLong(30 * MILLI);
        service.simulation.schedule(delay, () -> service.run(request, name, answers));
        if (place == 1 && random.nextInt(3) == 0) {
          service.simulation.schedule(
              delay + random.nextLong(300 * MILLI), () -> service.run(request, name, true));
        }
      }
    }
    service.simulation.runFor(durationNanos);
    service.simulation.setLossProbability(0);
    for (int i = 0; i < 300 && !service.hasConverged(); i++) {
      service.simulation.runFor(100 * MILLI);
    }
    return service;
  }

  private static SimulatedRequests calm() {
    SimulatedRequests service =
        new SimulatedRequests(1, SimulationOptions.calm(), 3, DecidedTwice::new);
    service.simulation.runFor(2_000 * MILLI);
    return service;
  }

  private static SimulatedRequests.Request request(int sequence) {
    return new SimulatedRequests.Request(new RequestIdentity(9, sequence), "k");
  }

  @Test
  void effectsAreSeenWhereTheyWereComputedBeforeAnybodyHasDecided() {
    SimulatedRequests service = calm();
    service.run(request(1), "b", false);

    assertThat(service.sites.get("b").counts().get("k")).isEqualTo(1);
    assertThat(service.sites.get("b").last()).containsEntry("k", "9/1").hasSize(1);
    service.simulation.runFor(500 * MILLI);
    assertThat(service.sites.get("a").counts().get("k")).isZero();
    assertThat(service.sites.get("a").last()).isEmpty();
  }

  @Test
  void theAuthoritysEffectsReplaceThoseComputedElsewhere() {
    SimulatedRequests service = calm();
    SimulatedRequests.Request request = request(1);
    service.run(request, "b", false);
    service.run(request, "c", false);
    service.run(request, "a", true);
    service.simulation.runFor(50 * MILLI);

    for (SimulatedRequests.Site site : service.sites.values()) {
      assertThat(site.counts().get("k")).isEqualTo(1);
      assertThat(site.last().values("k")).containsExactly("9/1");
      assertThat(site.deduplication().metrics().undecided()).isZero();
    }
  }

  @Test
  void whatWasAnsweredOutlivesAnAuthorityThatToldNobody() {
    SimulatedRequests service = calm();
    SimulatedRequests.Request request = request(1);
    service.run(request, "b", false);
    service.run(request, "c", false);
    service.simulation.partition(Set.of("a"));
    service.run(request, "a", true);
    service.simulation.node("a").crash();
    service.simulation.heal();
    service.simulation.runFor(10_000 * MILLI);

    assertThat(service.sites.get("b").counts().get("k")).isEqualTo(1);
    assertThat(service.sites.get("c").counts().get("k")).isEqualTo(1);
    assertThat(service.sites.get("c").deduplication().metrics().undecided()).isZero();
  }

  @Test
  void aRequestSentAgainGetsTheRecordedReplyFromAnyReplica() {
    SimulatedRequests service = calm();
    SimulatedRequests.Request request = request(1);
    service.run(request, "a", true);
    service.simulation.runFor(50 * MILLI);
    service.run(request, "c", true);

    assertThat(request.replies).containsExactly("a");
    assertThat(request.ranAt).containsExactly("a");
    assertThat(service.sites.get("c").counts().get("k")).isEqualTo(1);
  }

  @Test
  void aRefusedRequestLeavesNothingBehind() {
    SimulatedRequests service = calm();
    SimulatedRequests.Request request = request(1);
    request.refused = true;
    service.run(request, "b", false);
    service.run(request, "a", true);
    service.simulation.runFor(50 * MILLI);

    for (SimulatedRequests.Site site : service.sites.values()) {
      assertThat(site.counts().get("k")).isZero();
      assertThat(site.last()).isEmpty();
    }
  }

  @Test
  void aRequestFarBehindItsClientIsNotRunAgain() {
    SimulatedRequests service = calm();
    SimulatedRequests.Request old = request(1);
    service.run(old, "a", true);
    service.run(request(1 + RequestIdentity.PLACES), "a", true);

    assertThat(service.run(old, "a", true)).isFalse();
    assertThat(service.sites.get("a").counts().get("k")).isEqualTo(2);
  }

  @Test
  void twoThatDecidedWhileCutOffCountOnceWhenTheyMeet() {
    SimulatedRequests service = calm();
    SimulatedRequests.Request request = request(1);
    service.simulation.partition(Set.of("a"));
    service.run(request, "a", true);
    service.run(request, "b", true);
    service.simulation.runFor(300 * MILLI);
    service.simulation.heal();
    service.simulation.runFor(5_000 * MILLI);

    assertCountsOnce(service, List.of("a", "b", "c"));
  }

  /**
   * The first dies after its effects came to one other only; the request is asked of the third,
   * which knows nothing of it; then the first one's effects come to light. Whichever of the two has
   * the lower number, and so stands.
   */
  @Test
  void effectsOfADeadAuthorityThatComeToLightLaterDoNotCountTwice() {
    for (List<String> roles :
        List.of(
            List.of("a", "b", "c"),
            List.of("b", "c", "a"),
            List.of("c", "a", "b"),
            List.of("a", "c", "b"),
            List.of("b", "a", "c"),
            List.of("c", "b", "a"))) {
      SimulatedRequests service = calm();
      SimulatedRequests.Request request = request(1);
      String dead = roles.get(0);
      String knows = roles.get(1);
      String asked = roles.get(2);
      service.simulation.partition(Set.of(asked));
      service.run(request, dead, true);
      service.simulation.runFor(20 * MILLI);
      service.simulation.node(dead).crash();
      service.run(request, asked, true);
      service.simulation.heal();
      service.simulation.runFor(5_000 * MILLI);

      assertThat(request.answeredAt).as("%s", roles).containsExactlyInAnyOrder(dead, asked);
      assertCountsOnce(service, List.of(knows, asked));
    }
  }

  private static void assertCountsOnce(SimulatedRequests service, List<String> names) {
    for (String name : names) {
      SimulatedRequests.Site site = service.sites.get(name);
      assertThat(site.counts().get("k")).as("at %s of %s", name, names).isEqualTo(1);
      assertThat(List.copyOf(site.done())).as("at %s of %s", name, names).hasSize(1);
      assertThat(site.last().values("k")).as("at %s of %s", name, names).containsExactly("9/1");
    }
  }
}
