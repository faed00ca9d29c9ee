package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** Managers, naming processes and replicas in thousands of histories full of faults. */
class ManagerSimulationTest {
  private static final int HISTORIES = Depth.of(250, 20);
  private static final long FAULTS_NANOS = 3_000 * SimulatedHost.MILLI;
  private static final long QUIET_NANOS = 4_000 * SimulatedHost.MILLI;
  private static final long CALM_NANOS = 1_000 * SimulatedHost.MILLI;

  @Test
  void everyHistoryHasOnePrimaryAnEpochAndEndsWithTheFullDegree() {
    for (long seed : Seeds.histories("managers", HISTORIES)) {
      run(seed, 0);
    }
  }

  @Test
  void everyHistoryEndsWithTheSparesToo() {
    for (long seed : Seeds.histories("managers with spares", HISTORIES / 2)) {
      run(seed, 1 + (int) (seed & 1));
    }
  }

  /**
   * The naming processes lose all their disks at once, while managers, replicas and whoever looked
   * a service up live: what the managers know is put back, above all that was told before.
   */
  @Test
  void everyHistoryInWhichAllNamesAreLostEndsWithTheFullDegree() {
    for (long seed : Seeds.histories("managers whose names are lost", HISTORIES / 5)) {
      run(seed, 0, true);
    }
  }

  private static void run(long seed, int spares) {
    run(seed, spares, false);
  }

  private static void run(long seed, int spares, boolean namesAreLost) {
    RandomGenerator random = Seeds.generator(~seed);
    Simulation simulation = new Simulation(seed, SimulationOptions.swarm(random));
    SimulatedHost host =
        new SimulatedHost(
            simulation, 1 + random.nextInt(3), spares, random.nextBoolean() ? 0 : 0.2);
    simulation.runFor(random.nextLong(1_000 * SimulatedHost.MILLI));
    FaultPlan.swarm(random).unleash(simulation, FAULTS_NANOS);
    if (namesAreLost) {
      simulation.schedule(random.nextLong(FAULTS_NANOS, 2 * FAULTS_NANOS), host::loseAllNames);
      boolean leaderToo = random.nextBoolean();
      simulation.schedule(
          2 * FAULTS_NANOS,
          () -> host.leaders().stream().filter(_ -> leaderToo).forEach(host::replace));
    }
    for (int command = random.nextInt(4); command > 0; command--) {
      boolean drain = random.nextBoolean();
      int which = random.nextInt(10);
      simulation.schedule(random.nextLong(FAULTS_NANOS), () -> host.command(drain, which));
    }
    simulation.runFor(FAULTS_NANOS);
    simulation.setLossProbability(0);
    simulation.runFor(namesAreLost ? 3 * QUIET_NANOS : QUIET_NANOS);
    int launchedBefore = host.launchedNames.size();
    simulation.runFor(CALM_NANOS);

    assertThat(host.violations).as("seed %d", seed).isEmpty();
    assertThat(host.leaders()).as("leaders, seed %d", seed).hasSize(1);
    List<String> alive = host.liveReplicas().stream().map(SimulatedReplica::name).toList();
    assertThat(alive).as("live replicas, seed %d", seed).hasSize(host.degree + spares);
    assertThat(host.learned.values())
        .as("references, seed %d", seed)
        .hasSize(SimulatedHost.NAMING.size())
        .allSatisfy(value ->
            assertThat(value.reference().endpoints())
                .extracting(Endpoint::replica)
                .hasSize(host.degree)
                .doesNotHaveDuplicates()
                .isSubsetOf(alive));
    assertThat(host.liveReplicas().stream().filter(SimulatedReplica::believesToBePrimary))
        .as("primaries, seed %d", seed)
        .hasSize(1);
    assertThat(host.launchedNames)
        .as("no launches without a cause, seed %d", seed)
        .hasSize(launchedBefore);
  }
}
