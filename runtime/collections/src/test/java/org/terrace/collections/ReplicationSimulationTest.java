package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Random histories of calls and faults against the production code, one a seed.
 *
 * <p>{@code -Dterrace.histories=N} runs more, {@code -Dterrace.seed=N} begins at that seed.
 */
class ReplicationSimulationTest {
  private static final int HISTORIES = Integer.getInteger("terrace.histories", 10_000);
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final List<WriteLevel> LEVELS =
      List.of(WriteLevel.LOCAL, WriteLevel.replicas(2), WriteLevel.ALL);

  @Test
  void everyHistoryConvergesAndLosesNothingAcknowledged() {
    long first = Seeds.next("everyHistoryConvergesAndLosesNothingAcknowledged");
    long messages = 0;
    long calls = 0;
    long acknowledged = 0;
    long restored = 0;
    int[] kinds = new int[Reconciliation.Kind.values().length];
    for (long seed = first; seed < first + HISTORIES; seed++) {
      SimulatedCluster cluster = run(seed, ReplicaState::new);
      assertThat(cluster.violations()).as("seed %d", seed).isEmpty();
      messages += cluster.simulation.messagesSent();
      calls += cluster.calls.size();
      restored += cluster.restored;
      acknowledged += cluster.calls.stream().filter(call -> call.acknowledged).count();
      cluster.reconciliations.forEach(one -> kinds[one.kind().ordinal()]++);
    }
    System.out.printf(
        "%d histories: %d calls, %d acknowledged, %d messages, repairs: %d updates, %d state;"
            + " %d checkpoints restored%n",
        HISTORIES, calls, acknowledged, messages, kinds[0], kinds[1], restored);
    assertThat(restored).isPositive();
    assertThat(kinds[0]).isPositive();
    assertThat(kinds[1]).isPositive();
  }

  /** Histories within which a planted fault must show. */
  private static final int HISTORIES_TO_FIND = 400;

  private static void assertFound(String fault, LongFunction<SimulatedCluster> history) {
    long first = Seeds.next(fault);
    for (long seed = first; seed < first + HISTORIES_TO_FIND; seed++) {
      if (!history.apply(seed).violations().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("the planted fault was not found: " + fault);
  }

  @Test
  void aDroppedDeltaIsFound() {
    assertFound("aDroppedDelta", seed -> run(seed, PlantedFaults.DroppedDelta::new));
  }

  @Test
  void aDiscardedSideIsFound() {
    assertFound("aDiscardedSide", seed -> run(seed, PlantedFaults.DiscardedSide::new));
  }

  @Test
  void anEarlyArrivalThatIsForgottenIsFound() {
    assertFound("aForgottenEarlyArrival", seed -> run(seed, PlantedFaults.ForgottenAhead::new));
  }

  @Test
  void aReusedIdentityIsFound() {
    assertFound(
        "aReusedIdentity",
        seed -> {
          SimulatedCluster cluster = cluster(seed, ReplicaState::new);
          cluster.restoresCheckpoints = false;
          cluster.simulation.nodes().forEach(SimulatedGroup::plantReusedIdentity);
          return unleash(seed, cluster);
        });
  }

  /** One history: calls and faults for a virtual second, then peace until all agree. */
  static SimulatedCluster run(long seed, LongFunction<ReplicaState> newState) {
    return unleash(seed, cluster(seed, newState));
  }

  private static SimulatedCluster cluster(long seed, LongFunction<ReplicaState> newState) {
    RandomGenerator random = Seeds.generator(~seed);
    int nodes = 2 + random.nextInt(3);
    long logBytesMax = random.nextBoolean() ? 1 << 20 : random.nextInt(2_000);
    return new SimulatedCluster(
        seed, SimulationOptions.swarm(random), nodes, logBytesMax, newState);
  }

  private static SimulatedCluster unleash(long seed, SimulatedCluster cluster) {
    RandomGenerator random = Seeds.generator(seed);
    Simulation simulation = cluster.simulation;
    long durationNanos = 1_000 * MILLI;
    FaultPlan.swarm(random).unleash(simulation, durationNanos);
    int calls = 10 + random.nextInt(50);
    int keys = 1 + random.nextInt(20);
    for (int i = 0; i < calls; i++) {
      String value = random.nextInt(4) == 0 ? null : "v" + i;
      String key = "k" + random.nextInt(keys);
      String node = cluster.names.get(random.nextInt(cluster.names.size()));
      WriteLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
      simulation.schedule(
          random.nextLong(durationNanos),
          () -> {
            cluster.noteAcknowledgements();
            cluster.call(node, key, value, level);
          });
    }
    for (int i = 1; i < 20; i++) {
      simulation.schedule(50L * i * MILLI, cluster::noteAcknowledgements);
    }
    simulation.runFor(durationNanos);
    cluster.noteAcknowledgements();
    simulation.setLossProbability(0);
    for (int i = 0; i < 300 && !cluster.hasConverged(); i++) {
      simulation.runFor(100 * MILLI);
    }
    cluster.noteAcknowledgements();
    return cluster;
  }
}
