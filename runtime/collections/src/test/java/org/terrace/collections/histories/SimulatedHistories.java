package org.terrace.collections.histories;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** Random histories of calls and faults on simulated nodes, each a function of its seed. */
public final class SimulatedHistories {
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final List<WriteLevel> LEVELS =
      List.of(WriteLevel.LOCAL, WriteLevel.replicas(2), WriteLevel.ALL, WriteLevel.allOf(2));

  private static final int RESTARTS = 40;

  /** The number of rounds for which all must agree: fewer than a partition lasts. */
  private static final int ROUNDS_OF_RESTARTS = 5;

  private SimulatedHistories() {}

  /** One history: calls and faults for a virtual second, then peace until all agree. */
  static SimulatedCluster run(long seed, LongFunction<ReplicaState> newState) {
    return unleash(seed, cluster(seed, newState));
  }

  /**
   * Half a minute of restarts, and of partitions that outlast every agreement about retired
   * incarnations, then peace. One node now and then starts with nothing or from its first
   * checkpoint, the others from their latest: that all but one forget a replica that is away is not
   * in the promise.
   */
  static SimulatedCluster restarts(long seed, LongFunction<ReplicaState> newState) {
    return restarts(seed, newState, new SimulatedCluster.Addition() {});
  }

  /** The same with an addition. */
  static SimulatedCluster restarts(
      long seed, LongFunction<ReplicaState> newState, SimulatedCluster.Addition addition) {
    RandomGenerator random = Seeds.generator(~seed);
    int nodes = 2 + random.nextInt(3);
    long logBytesMax = random.nextBoolean() ? 1 << 20 : random.nextInt(2_000);
    SimulatedCluster cluster =
        new SimulatedCluster(
            seed,
            SimulationOptions.swarm(random),
            nodes,
            0,
            logBytesMax,
            newState,
            ROUNDS_OF_RESTARTS,
            addition);
    cluster.settle();
    Simulation simulation = cluster.simulation;
    simulation.runFor(500 * MILLI);
    cluster.forgetOldCheckpoints();
    simulation.runFor(300 * MILLI);
    cluster.losesCheckpoints = Set.of(cluster.names.get(random.nextInt(nodes)));
    for (int i = 0; i < RESTARTS; i++) {
      if (random.nextInt(3) == 0) {
        Set<String> side = new HashSet<>();
        cluster.names.stream().filter(name -> random.nextBoolean()).forEach(side::add);
        simulation.partition(side);
        simulation.schedule(random.nextLong(4_000 * MILLI), simulation::heal);
      }
      SimulatedNode victim = simulation.node(cluster.names.get(random.nextInt(nodes)));
      for (int j = random.nextInt(5); j > 0; j--) {
        String name = cluster.names.get(random.nextInt(nodes));
        String value = random.nextInt(4) == 0 ? null : "v" + i + "." + j;
        WriteLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
        cluster.call(name, "k" + random.nextInt(5), value, level);
        simulation.runFor(random.nextLong(20 * MILLI));
        cluster.noteAcknowledgements();
      }
      if (victim.isRunning() && random.nextInt(3) > 0) {
        victim.crash();
        simulation.schedule(random.nextLong(2_000 * MILLI), victim::restart);
      }
      simulation.runFor(random.nextLong(1_500 * MILLI));
      cluster.noteAcknowledgements();
    }
    simulation.heal();
    simulation.nodes().forEach(SimulatedNode::restart);
    simulation.setLossProbability(0);
    cluster.quiesce();
    cluster.noteAcknowledgements();
    return cluster;
  }

  static SimulatedCluster cluster(long seed, LongFunction<ReplicaState> newState) {
    return cluster(seed, newState, new SimulatedCluster.Addition() {});
  }

  /** The same with an addition. */
  static SimulatedCluster cluster(
      long seed, LongFunction<ReplicaState> newState, SimulatedCluster.Addition addition) {
    RandomGenerator random = Seeds.generator(~seed);
    int nodes = 2 + random.nextInt(3);
    long logBytesMax = random.nextBoolean() ? 1 << 20 : random.nextInt(2_000);
    return new SimulatedCluster(
        seed,
        SimulationOptions.swarm(random),
        nodes,
        0,
        logBytesMax,
        newState,
        SimulatedCluster.ROUNDS_OVER,
        addition);
  }

  static SimulatedCluster unleash(long seed, SimulatedCluster cluster) {
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
