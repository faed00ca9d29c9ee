package org.terrace.groups.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Group;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** The registry over the simulated group, and real processes. */
class GroupServicesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long MILLI = 1_000_000;
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int HISTORIES = 200;

  /** Remembers what it was asked to do. */
  private static final class Requests implements ReplicaLauncher {
    final List<String> asked = new ArrayList<>();
    volatile Set<String> running = Set.of();

    @Override
    public synchronized void start(String service) {
      asked.add("start " + service);
    }

    @Override
    public Set<String> running(String service) {
      return running;
    }

    synchronized List<String> asked() {
      return List.copyOf(asked);
    }

    @Override
    public synchronized void stop(String service, String replica) {
      asked.add("stop " + replica);
    }
  }

  private static InetSocketAddress address(String name) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1_000 + name.charAt(0));
  }

  private static Map<String, GroupServices> open(Simulation simulation, ReplicaLauncher launcher) {
    Map<String, GroupServices> services = new TreeMap<>();
    for (String name : NAMES) {
      simulation.addNode(
          name,
          node -> {
            Group group = new SimulatedGroup(node, MembershipOptions.defaults(), NAMES);
            GroupServices opened = GroupServices.open(group, Duration.ofMillis(200), launcher);
            opened.offer("cart", address(name), () -> 0.5);
            services.put(name, opened);
          });
    }
    return services;
  }

  @Test
  void everyMemberComesToKnowTheOffersOfAllWhateverHappens() {
    for (long seed : Seeds.histories("everyMemberComesToKnowTheOffersOfAll", HISTORIES)) {
      var random = Seeds.generator(seed);
      Simulation simulation = new Simulation(seed, SimulationOptions.swarm(random));
      Map<String, GroupServices> services = open(simulation, new Requests());
      FaultPlan.swarm(random).unleash(simulation, 1_000 * MILLI);
      simulation.runFor(1_000 * MILLI);
      simulation.setLossProbability(0);

      assertThat(
              simulation.runUntil(
                  () -> services.values().stream().allMatch(s -> s.replicas("cart").size() == 3),
                  60_000 * MILLI))
          .as("seed %d: all know all", seed)
          .isTrue();
      assertThat(services.values()).allSatisfy(s -> assertThat(s.malformedReports()).isZero());
    }
  }

  @Test
  void whoIsDeclaredDeadTakesItsOffersAlong() {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    Map<String, GroupServices> services = open(simulation, new Requests());
    simulation.runFor(3_000 * MILLI);
    simulation.node("b").crash();
    simulation.runFor(10_000 * MILLI);

    assertThat(services.get("a").replicas("cart"))
        .extracting(Offer::replica)
        .containsExactly("a", "c");
    assertThat(services.get("a").services()).containsExactly("cart");
  }

  @Test
  void aReplicaTooManyIsToldToRetireWhoeverStartedIt() throws Exception {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    List<String> retired = Collections.synchronizedList(new ArrayList<>());
    Map<String, GroupServices> services = open(simulation, new Requests());
    simulation.runFor(3_000 * MILLI);
    CountDownLatch told = new CountDownLatch(1);
    services.forEach((name, each) -> {
      each.offer(
          "cart",
          address(name),
          () -> name.equals("b") ? 0.01 : 0.1,
          () -> {
            retired.add(name);
            told.countDown();
          });
      each.scale("cart", new ScalingOptions(2, 3, 0.75, 0.25, 3, 1_000));
    });
    simulation.runFor(20_000 * MILLI);

    // It is told by a thread of its own, to which virtual time is nothing.
    assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(retired).containsExactly("b");
  }

  @Test
  void aReplicaThatDoesNotRetireWhenToldIsEndedByTheLauncher() {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    Requests requests = new Requests();
    Map<String, GroupServices> services = open(simulation, requests);
    simulation.runFor(3_000 * MILLI);
    services.forEach((name, each) -> {
      each.offer("cart", address(name), () -> name.equals("b") ? 0.01 : 0.1);
      each.scale("cart", new ScalingOptions(2, 3, 0.75, 0.25, 3, 1_000));
    });
    simulation.runFor(20_000 * MILLI);
    awaitRequest(simulation, requests);
    assertThat(requests.asked()).startsWith("stop b");
  }

  /** A start takes longer than the pause after a change, and a member may be lost sight of. */
  @Test
  void whoWasStartedHereAndIsNotSeenYetIsNotStartedOnceMore() {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    Requests requests = new Requests();
    requests.running = Set.of("a", "a-1");
    Map<String, GroupServices> services = open(simulation, requests);
    simulation.runFor(3_000 * MILLI);
    services.forEach((name, each) -> {
      each.offer("cart", address(name), () -> 1);
      each.scale("cart", new ScalingOptions(1, NAMES.size() + 1, 0.75, 0.25, 3, 1));
    });
    simulation.runFor(20_000 * MILLI);
    assertThat(requests.asked()).isEmpty();

    requests.running = Set.of("a");
    awaitRequest(simulation, requests);
    assertThat(requests.asked()).startsWith("start cart");
  }

  /** Lets simulated time pass until the launcher's own thread has been asked for something. */
  private static void awaitRequest(Simulation simulation, Requests requests) {
    Await.until(
        PATIENCE,
        () -> {
          simulation.runFor(200 * MILLI);
          return !requests.asked().isEmpty();
        });
  }

  @Test
  void membersOfTwoVersionsKnowEachOthersOffersAndAnUnknownVersionIsMalformed() {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    Map<String, Group> groups = new TreeMap<>();
    Map<String, GroupServices> services = new TreeMap<>();
    for (String name : NAMES) {
      int most = name.equals("a") ? 3 : 4;
      simulation.addNode(
          name,
          node -> {
            Group group =
                new SimulatedGroup(
                    node,
                    MembershipOptions.defaults(),
                    NAMES,
                    new ProtocolVersions(3, most),
                    SimulatedGroup.VersionFault.NONE);
            groups.put(name, group);
            GroupServices opened =
                GroupServices.open(group, Duration.ofMillis(200), new Requests());
            opened.offer("cart", address(name), () -> 0.5);
            services.put(name, opened);
          });
    }
    simulation.runFor(3_000 * MILLI);
    for (GroupServices one : services.values()) {
      assertThat(one.replicas("cart")).hasSize(NAMES.size());
      assertThat(one.malformedReports()).isZero();
    }
    assertThat(groups.get("b").protocol().toAll()).isEqualTo(3);
    simulation.node("a").crash();
    simulation.runFor(10_000 * MILLI);
    assertThat(groups.get("b").protocol().toAll()).isEqualTo(4);
    assertThat(services.get("b").malformedReports()).isZero();
    assertThat(services.get("b").replicas("cart")).hasSize(NAMES.size() - 1);

    groups.get("b").multicast(Group.SERVICES_CHANNEL, ByteBuffer.wrap(new byte[] {0x51, 0}));
    simulation.runFor(1_000 * MILLI);
    assertThat(services.get("c").malformedReports()).isEqualTo(1);
  }

  @Test
  void aMalformedReportIsCounted() {
    Simulation simulation = new Simulation(1, SimulationOptions.calm());
    List<Group> groups = new ArrayList<>();
    Map<String, GroupServices> services = open(simulation, new Requests());
    simulation.addNode(
        "d", node -> groups.add(new SimulatedGroup(node, MembershipOptions.defaults(), NAMES)));
    simulation.runFor(3_000 * MILLI);
    groups.getFirst().multicast(Group.SERVICES_CHANNEL, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    simulation.runFor(1_000 * MILLI);

    assertThat(services.get("a").malformedReports()).isEqualTo(1);
  }
}
