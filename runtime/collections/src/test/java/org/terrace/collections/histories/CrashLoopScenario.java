package org.terrace.collections.histories;

import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;

/**
 * One process that crashes as soon as it has started, again and again, while the others write: it
 * costs nobody anything, and once it stays it is one of them.
 */
public final class CrashLoopScenario extends Scenario {
  private static final int CRASHES = 40;
  private static final String VICTIM = "b";

  CrashLoopScenario(long seed, boolean planted) {
    super(seed, planted);
    durationNanos = 3 * SECOND;
  }

  @Override
  int plainOneIn() {
    return 1;
  }

  @Override
  FaultPlan faults() {
    FaultPlan swarm = FaultPlan.swarm(random);
    return new FaultPlan(
        swarm.partitionMeanNanos(),
        0,
        swarm.pauseMeanNanos(),
        swarm.clockStepMeanNanos(),
        swarm.repairMeanNanos(),
        0);
  }

  @Override
  void begin() {
    Simulation simulation = cluster.simulation;
    SimulatedNode victim = simulation.node(VICTIM);
    if (planted) {
      cluster.restoresCheckpoints = false;
      SimulatedGroup.plantReusedIdentity(victim);
    }
    for (int i = 0; i < CRASHES; i++) {
      long delay = random.nextLong(durationNanos);
      simulation.schedule(delay, victim::crash);
      simulation.schedule(delay + random.nextLong(20 * MILLI), victim::restart);
    }
    simulation.schedule(durationNanos, victim::restart);
  }

  @Override
  void call(Site site, String name, int number) {
    plainCall(name, number);
  }

  @Override
  void end() {
    boolean isAdmitted =
        cluster.simulation.runUntil(
            () ->
                cluster.running().stream()
                    .allMatch(site -> site.group().view().members().size() == cluster.names.size()),
            5 * SECOND);
    check(isAdmitted, "the member that crashed is not admitted five seconds after it stays");
  }

  @Override
  void judge() {}
}
