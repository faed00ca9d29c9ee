package org.terrace.collections.histories;

import java.util.List;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.structures.ClocksTold;
import org.terrace.collections.structures.HybridClock;
import org.terrace.groups.Member;
import org.terrace.testing.simulation.SimulatedNode;

/** One of a history's clocks, which steps by up to an hour. */
public final class WildClock {
  private static final long HOUR_NANOS = 3_600 * Scenario.SECOND;
  private static final int STEPS = 4;
  private static final String WILD = "b";

  private WildClock() {}

  /**
   * Lets the members agree about the time, and has one of the clocks step from then on.
   *
   * @param planted whether that member judges by its own clock alone
   */
  static void begin(Scenario scenario, boolean planted) {
    SimulatedCluster cluster = scenario.cluster;
    cluster.settle();
    cluster.simulation.runFor(2 * Scenario.SECOND);
    SimulatedNode wild = cluster.simulation.node(WILD);
    for (int i = 0; i < STEPS; i++) {
      cluster.simulation.schedule(
          scenario.random.nextLong(scenario.durationNanos),
          () -> wild.shiftClock(scenario.random.nextLong(-HOUR_NANOS, HOUR_NANOS)));
    }
    if (planted) {
      wild.every(10 * Scenario.MILLI, () -> judgeAlone(cluster.site(WILD).replica()));
    }
  }

  /** Takes its own clock for that of all others. */
  private static void judgeAlone(Replica replica) {
    replica.within(() -> {
      HybridClock clock = replica.writes().clock();
      long wall = clock.now().wallMillis();
      ClocksTold own = new ClocksTold(wall, ClocksTold.LASTING, wall, wall);
      List<Member> others = replica.view().others();
      others.forEach(
          other -> clock.agreed().observe(Member.replicaOf(other.id()), own, clock.now()));
      clock.agreed().settle(clock.now(), replica.view()::containsReplica, others.size());
      return own;
    });
  }
}
