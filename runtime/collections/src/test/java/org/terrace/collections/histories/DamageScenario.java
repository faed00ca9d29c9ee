package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * A replica that loses entries that it says it has, while all write: the audit brings them back,
 * and nothing that was removed meanwhile.
 */
public final class DamageScenario extends Scenario {
  private static final int ENTRIES = 60;

  DamageScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** An audit that does not look at what was superseded since it began. */
  private static final class HarmfulAudit extends WatchedState {
    HarmfulAudit(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean restore(StateEntry entry) {
      endWatch();
      watchSuperseded(0, writer -> false);
      return super.restore(entry);
    }
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return HarmfulAudit::new;
  }

  /** Enough: who pulls the state of a damaged replica takes what it lacks for removed. */
  @Override
  long logBytesMax() {
    return 1 << 20;
  }

  @Override
  SimulationOptions network() {
    return new SimulationOptions(0, random.nextDouble(0.2), 0, MILLI, 8 * MILLI, 0);
  }

  @Override
  FaultPlan faults() {
    return FaultPlan.none();
  }

  @Override
  void begin() {
    cluster.isDamaged = true;
    cluster.settle();
    for (int i = 0; i < ENTRIES; i++) {
      cluster.call("a", "d" + i, "kept" + i, WriteLevel.LOCAL);
      if (i % 10 == 0) {
        cluster.simulation.runFor(MILLI);
      }
    }
    cluster.simulation.runFor(SECOND);
    damage(cluster.names.get(random.nextInt(cluster.names.size())));
  }

  private void damage(String victim) {
    List<LiveEntry<?>> live = new ArrayList<>(cluster.site(victim).state().liveEntries());
    for (LiveEntry<?> entry : live) {
      if (random.nextInt(3) == 0) {
        entry.remove(ChangeCause.REPAIR);
      }
    }
  }

  /** Some removals at once, since an audit lasts for some messages only. */
  @Override
  void call(Site site, String name, int number) {
    for (int i = 0; i < 3; i++) {
      cluster.call(name, "d" + random.nextInt(ENTRIES), null, WriteLevel.LOCAL);
    }
  }

  @Override
  void end() {
    cluster.simulation.runFor(2 * SECOND);
  }

  @Override
  void judge() {
    check(
        cluster.reconciliations.stream().anyMatch(one -> one.kind() == Reconciliation.Kind.AUDIT),
        "no audit took place");
  }
}
