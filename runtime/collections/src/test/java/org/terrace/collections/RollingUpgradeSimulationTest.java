package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.groups.simulated.SimulatedGroup.VersionFault;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Replicas that are replaced one at a time by ones of a later version of the protocol, and back, on
 * simulated nodes: nothing that was acknowledged is lost, nobody is excluded, and in the end all
 * speak the later version.
 */
class RollingUpgradeSimulationTest {
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final int HISTORIES = Depth.of(100, 20);
  private static final ProtocolVersions OLD = new ProtocolVersions(3, 3);
  private static final ProtocolVersions NEW = new ProtocolVersions(3, 4);
  private static final List<WriteLevel> LEVELS =
      List.of(WriteLevel.LOCAL, WriteLevel.replicas(2), WriteLevel.ALL, WriteLevel.allOf(2));

  /**
   * Messages that old replicas may have to refuse for each start of a replica, when one listens
   * where a new one did: some ten in a thousand starts.
   */
  private static final int REFUSALS_A_START = 1;

  /** Nodes whose version is that which their name has when they start. */
  private static final class Versions implements SimulatedCluster.Addition {
    final Map<String, ProtocolVersions> ofNext = new HashMap<>();
    final List<SimulatedCluster.Site> started = new ArrayList<>();
    private final VersionFault fault;

    Versions(VersionFault fault) {
      this.fault = fault;
    }

    @Override
    public SimulatedGroup group(SimulatedNode node, List<String> names) {
      ProtocolVersions versions = ofNext.getOrDefault(node.name(), OLD);
      return new SimulatedGroup(node, MembershipOptions.defaults(), names, versions, fault);
    }

    @Override
    public void started(SimulatedNode node, SimulatedCluster.Site site) {
      started.add(site);
    }

    /** Messages of membership and collections that old replicas have refused. */
    long refusals() {
      return started.stream()
          .filter(site -> site.group().protocol().own().equals(OLD))
          .mapToLong(site ->
              site.group().counters().incompatible()
                  + site.collections().metrics().incompatibleMessages())
          .sum();
    }

    List<String> exclusions() {
      return started.stream()
          .filter(site -> site.group().exclusion().isPresent())
          .map(site -> site.group().self() + ": " + site.group().exclusion().orElseThrow())
          .toList();
    }
  }

  private static SimulatedCluster cluster(
      long seed, SimulationOptions network, int nodes, Versions versions) {
    return new SimulatedCluster(
        seed,
        network,
        nodes,
        0,
        1 << 20,
        WatchedState::new,
        SimulatedCluster.ROUNDS_OVER,
        versions);
  }

  private static void scheduleCalls(
      SimulatedCluster cluster, RandomGenerator random, int calls, long durationNanos) {
    for (int i = 0; i < calls; i++) {
      // No two alike: the oracle knows a put by its value.
      String value = random.nextInt(5) == 0 ? null : "v" + random.nextLong();
      String key = "k" + random.nextInt(12);
      String name = cluster.names.get(random.nextInt(cluster.names.size()));
      WriteLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
      cluster.simulation.schedule(
          random.nextLong(durationNanos),
          () -> {
            cluster.noteAcknowledgements();
            cluster.call(name, key, value, level);
          });
    }
  }

  private static void replace(
      SimulatedCluster cluster, Versions versions, String name, ProtocolVersions by, long pause) {
    versions.ofNext.put(name, by);
    cluster.simulation.node(name).crash();
    cluster.simulation.runFor(pause);
    cluster.simulation.node(name).restart();
  }

  private static boolean allSpeak(SimulatedCluster cluster, int version) {
    return cluster.sites.values().stream()
        .allMatch(site ->
            site.group().view().members().size() == cluster.names.size()
                && site.group().protocol().toAll() == version);
  }

  private static void assertUpgraded(SimulatedCluster cluster, Versions versions, long seed) {
    Simulation simulation = cluster.simulation;
    assertThat(simulation.runUntil(() -> allSpeak(cluster, 4), 30 * SECOND))
        .as("all speak version 4, seed %d", seed)
        .isTrue();
    simulation.runUntil(cluster::hasConverged, 30 * SECOND);
    cluster.noteAcknowledgements();
    assertThat(cluster.violations()).as("seed %d", seed).isEmpty();
    assertThat(versions.exclusions()).as("exclusions of seed %d", seed).isEmpty();
    assertThat(versions.refusals())
        .as("refused messages of seed %d", seed)
        .isLessThanOrEqualTo((long) REFUSALS_A_START * versions.started.size());
  }

  private record Step(String name, ProtocolVersions by) {}

  /**
   * An upgrade of each node in turn; in half of all histories the first is taken back meanwhile.
   */
  private static List<Step> steps(List<String> names, boolean takesBack) {
    List<Step> steps = new ArrayList<>();
    names.forEach(name -> steps.add(new Step(name, NEW)));
    if (takesBack) {
      steps.add(names.size() - 1, new Step(names.getFirst(), OLD));
      steps.add(new Step(names.getFirst(), NEW));
    }
    return steps;
  }

  /** The replicas have no disks: each comes back with nothing, and gets all from the others. */
  private static SimulatedCluster upgradeOneByOne(long seed, Versions versions) {
    RandomGenerator random = Seeds.generator(seed);
    int nodes = 3 + random.nextInt(2);
    SimulatedCluster cluster = cluster(seed, SimulationOptions.swarm(random), nodes, versions);
    cluster.restoresCheckpoints = false;
    Simulation simulation = cluster.simulation;
    simulation.runUntil(() -> hasAllInView(cluster), 10 * SECOND);
    for (Step step : steps(cluster.names, random.nextBoolean())) {
      scheduleCalls(cluster, random, 30, SECOND);
      simulation.runFor(random.nextLong(SECOND));
      cluster.noteAcknowledgements();
      replace(cluster, versions, step.name(), step.by(), SECOND / 5);
      simulation.runFor(2 * SECOND);
      simulation.runUntil(() -> cluster.hasConverged() && hasAllInView(cluster), 20 * SECOND);
      cluster.noteAcknowledgements();
    }
    simulation.setLossProbability(0);
    return cluster;
  }

  private static boolean hasAllInView(SimulatedCluster cluster) {
    return cluster.sites.values().stream()
        .allMatch(site -> site.group().view().members().size() == cluster.names.size());
  }

  @Test
  void anUpgradeOfOneAfterTheOtherLosesNothingThatTwoHeld() {
    for (long seed :
        Seeds.histories("anUpgradeOfOneAfterTheOtherLosesNothingThatTwoHeld", HISTORIES)) {
      Versions versions = new Versions(VersionFault.NONE);
      SimulatedCluster cluster = upgradeOneByOne(seed, versions);
      assertUpgraded(cluster, versions, seed);

      List<String> lost =
          cluster.calls.stream()
              .filter(call -> call.acknowledged && call.holders.size() > 1)
              .filter(call -> !cluster.isApplied(call.dot))
              .map(call -> call.key + "=" + call.value + " " + call.dot)
              .toList();
      assertThat(lost).as("lost in seed %d", seed).isEmpty();
    }
  }

  @Test
  void versionsThatChangeAmidFaultsLoseNothingAndExcludeNobody() {
    long refusals = 0;
    long starts = 0;
    for (long seed :
        Seeds.histories("versionsThatChangeAmidFaultsLoseNothingAndExcludeNobody", HISTORIES)) {
      Versions versions = new Versions(VersionFault.NONE);
      SimulatedCluster cluster = changeAmidFaults(seed, versions);
      assertUpgraded(cluster, versions, seed);
      refusals += versions.refusals();
      starts += versions.started.size();
    }
    System.out.printf("replicas refused %d messages in %d starts%n", refusals, starts);
  }

  private static SimulatedCluster changeAmidFaults(long seed, Versions versions) {
    RandomGenerator random = Seeds.generator(seed);
    int nodes = 2 + random.nextInt(3);
    SimulatedCluster cluster = cluster(seed, SimulationOptions.swarm(random), nodes, versions);
    Simulation simulation = cluster.simulation;
    FaultPlan.swarm(random).unleash(simulation, 4 * SECOND);
    scheduleCalls(cluster, random, 60, 4 * SECOND);
    for (int i = 0; i < 40; i++) {
      simulation.schedule(100L * i * MILLI, cluster::noteAcknowledgements);
    }
    int replacements = nodes + random.nextInt(4);
    for (int i = 0; i < replacements; i++) {
      String name = cluster.names.get(random.nextInt(nodes));
      ProtocolVersions by = random.nextInt(3) == 0 ? OLD : NEW;
      replace(cluster, versions, name, by, random.nextLong(SECOND / 4));
      simulation.runFor(random.nextLong(SECOND / 2));
    }
    simulation.runFor(4 * SECOND);
    simulation.setLossProbability(0);
    for (String name : cluster.names) {
      if (!cluster.site(name).group().protocol().own().equals(NEW)) {
        cluster.noteAcknowledgements();
        replace(cluster, versions, name, NEW, SECOND / 5);
        simulation.runFor(SECOND);
      }
    }
    return cluster;
  }

  @Test
  void aReplicaThatSpeaksVersion4ToAnOldOneIsFound() {
    Versions versions = new Versions(VersionFault.LATEST_TO_EACH);
    upgradeOneByOne(3, versions);

    assertThat(versions.refusals()).isGreaterThan(versions.started.size());
  }

  @Test
  void aRiseBesideAnOldReplicaIsFound() {
    Versions versions = new Versions(VersionFault.EARLY_RISE);
    upgradeOneByOne(3, versions);

    assertThat(versions.refusals()).isGreaterThan(versions.started.size());
  }
}
