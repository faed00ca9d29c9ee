package org.terrace.collections.histories;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;

/**
 * Nodes that come back with an empty disk, and now and then with a clock that is behind, too: who
 * is taken for an earlier incarnation is told so and refuses updates, and its operator sets the
 * clock and starts it again.
 */
public final class LostDiskScenario extends Scenario {
  private static final int LOSSES = 4;
  private static final long HOUR_NANOS = 3_600 * SECOND;
  private static final long OPERATOR_NANOS = 200 * MILLI;
  private static final Set<String> WHAT_A_FAULT_KEEPS = Set.of("incarnation", "reuse");

  LostDiskScenario(long seed, boolean planted) {
    super(seed, planted);
    durationNanos = 2 * SECOND;
  }

  @Override
  int plainOneIn() {
    return 1;
  }

  @Override
  FaultPlan faults() {
    FaultPlan swarm = FaultPlan.swarm(random);
    return new FaultPlan(
        swarm.partitionMeanNanos(), 0, swarm.pauseMeanNanos(), 0, swarm.repairMeanNanos(), 0);
  }

  @Override
  void begin() {
    cluster.mayRefuse = true;
    Simulation simulation = cluster.simulation;
    if (planted) {
      simulation.nodes().forEach(SimulatedGroup::plantReusedIdentity);
    }
    for (int i = 0; i < LOSSES; i++) {
      SimulatedNode victim =
          simulation.node(cluster.names.get(random.nextInt(cluster.names.size())));
      long delay = random.nextLong(durationNanos);
      simulation.schedule(delay, () -> lose(victim));
      simulation.schedule(delay + random.nextLong(300 * MILLI), victim::restart);
    }
    operate();
  }

  private void lose(SimulatedNode victim) {
    victim.crash();
    Map<String, byte[]> kept = new HashMap<>(victim.disk());
    victim.disk().clear();
    if (planted) {
      kept.keySet().retainAll(WHAT_A_FAULT_KEEPS);
      victim.disk().putAll(kept);
    }
    if (random.nextBoolean()) {
      victim.shiftClock(random.nextLong(-HOUR_NANOS, HOUR_NANOS));
    }
  }

  /** Starts whoever says that it is shut out again, with a clock that is ahead. */
  private void operate() {
    cluster
        .running()
        .forEach(site -> {
          if (site.group().exclusion().isPresent()) {
            SimulatedNode node = cluster.simulation.node(site.group().self().name());
            node.crash();
            node.shiftClock(2 * HOUR_NANOS);
            node.restart();
          }
        });
    cluster.simulation.schedule(OPERATOR_NANOS, this::operate);
  }

  @Override
  void call(Site site, String name, int number) {
    plainCall(name, number);
  }

  @Override
  void end() {
    boolean isAdmitted = cluster.simulation.runUntil(this::areAllThere, 10 * SECOND);
    check(isAdmitted, "somebody is shut out ten seconds after the last disk was lost");
  }

  private boolean areAllThere() {
    return cluster.running().stream()
        .allMatch(site ->
            site.group().exclusion().isEmpty()
                && site.group().view().members().size() == cluster.names.size());
  }

  @Override
  void judge() {}
}
