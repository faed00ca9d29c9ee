package org.terrace.testing.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The faults that strike the nodes of a simulation, and their frequencies: each kind waits a random
 * time around its mean, strikes, and is undone after another random time. A mean of 0 means never.
 *
 * @param partitionMeanNanos mean time between partitions
 * @param crashMeanNanos mean time between crashes
 * @param pauseMeanNanos mean time between pauses
 * @param clockStepMeanNanos mean time between steps of a wall clock
 * @param repairMeanNanos mean time until a fault is undone
 * @param crashedNodesMax how many nodes may be down at once
 */
public record FaultPlan(
    long partitionMeanNanos,
    long crashMeanNanos,
    long pauseMeanNanos,
    long clockStepMeanNanos,
    long repairMeanNanos,
    int crashedNodesMax) {
  private static final long MILLI = 1_000_000;
  private static final long CLOCK_STEP_MAX_NANOS = 3_600_000 * MILLI;

  /** A plan drawn at random: each kind of fault is on in about half of all plans. */
  public static FaultPlan swarm(RandomGenerator random) {
    return new FaultPlan(
        meanOrNever(random),
        meanOrNever(random),
        meanOrNever(random),
        meanOrNever(random),
        random.nextLong(50 * MILLI, 600 * MILLI),
        1 + random.nextInt(2));
  }

  /** A plan without any fault. */
  public static FaultPlan none() {
    return new FaultPlan(0, 0, 0, 0, MILLI, 0);
  }

  private static long meanOrNever(RandomGenerator random) {
    return random.nextBoolean() ? 0 : random.nextLong(100 * MILLI, 1_000 * MILLI);
  }

  /** Lets the faults of this plan strike for the given time from now, then undoes all of them. */
  public void unleash(Simulation simulation, long durationNanos) {
    long endNanos = simulation.nowNanos() + durationNanos;
    again(simulation, endNanos, partitionMeanNanos, () -> partition(simulation));
    again(simulation, endNanos, crashMeanNanos, () -> crash(simulation));
    again(simulation, endNanos, pauseMeanNanos, () -> pause(simulation));
    again(simulation, endNanos, clockStepMeanNanos, () -> stepClock(simulation));
    simulation.schedule(durationNanos, () -> undoAll(simulation));
  }

  private static void again(Simulation simulation, long endNanos, long mean, Runnable fault) {
    if (mean == 0) {
      return;
    }
    long delay = simulation.random().nextLong(2 * mean);
    if (simulation.nowNanos() + delay < endNanos) {
      simulation.schedule(
          delay,
          () -> {
            fault.run();
            again(simulation, endNanos, mean, fault);
          });
    }
  }

  private void partition(Simulation simulation) {
    Set<String> side = new HashSet<>();
    for (SimulatedNode node : simulation.nodes()) {
      if (simulation.random().nextBoolean()) {
        side.add(node.name());
      }
    }
    simulation.partition(side);
    simulation.schedule(repairDelay(simulation), simulation::heal);
  }

  private void crash(Simulation simulation) {
    long down = simulation.nodes().stream().filter(node -> !node.isRunning()).count();
    if (down < crashedNodesMax) {
      SimulatedNode victim = anyNode(simulation);
      victim.crash();
      simulation.schedule(repairDelay(simulation), victim::restart);
    }
  }

  private void pause(Simulation simulation) {
    SimulatedNode victim = anyNode(simulation);
    victim.pause();
    simulation.schedule(repairDelay(simulation), victim::resume);
  }

  private static void stepClock(Simulation simulation) {
    anyNode(simulation)
        .shiftClock(simulation.random().nextLong(-CLOCK_STEP_MAX_NANOS, CLOCK_STEP_MAX_NANOS));
  }

  private static void undoAll(Simulation simulation) {
    simulation.heal();
    for (SimulatedNode node : simulation.nodes()) {
      node.resume();
      node.restart();
    }
  }

  private long repairDelay(Simulation simulation) {
    return simulation.random().nextLong(2 * repairMeanNanos);
  }

  private static SimulatedNode anyNode(Simulation simulation) {
    List<SimulatedNode> nodes = new ArrayList<>(simulation.nodes());
    return nodes.get(simulation.random().nextInt(nodes.size()));
  }
}
