package org.terrace.collections.histories;

import java.util.List;
import java.util.function.LongFunction;
import org.terrace.collections.PlantedFaults;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * A replica that comes to hold other content under the dots that all share, while the others write:
 * the audit brings back what the writer has, and nothing that was removed meanwhile.
 */
public final class AlteredScenario extends Scenario {
  private static final int ENTRIES = 60;

  private String victim = "";

  AlteredScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** Gives an entry another key and value under its dot, as a count of updates that shifted did. */
  static void alter(ReplicaState state, LiveEntry<?> live, byte[] key, String newValue) {
    StateEntry sound = live.toStateEntry();
    byte[] value = Codecs.string().toBytes(newValue);
    int digest =
        Fingerprints.ofContent(sound.store(), key, sound.stamp(), sound.expiresMillis(), value);
    StateEntry altered =
        new StateEntry(
            sound.store(),
            key,
            sound.dot(),
            sound.stamp(),
            sound.expiresMillis(),
            value,
            digest,
            false);
    live.remove(ChangeCause.REPAIR);
    state.watchSuperseded(0, writer -> false);
    if (!state.restore(altered)) {
      throw new AssertionError("the entry could not be altered");
    }
    state.endWatch();
  }

  static void alter(ReplicaState state, LiveEntry<?> live, String newValue) {
    alter(state, live, live.toStateEntry().key(), newValue);
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return PlantedFaults.DotsAlone::new;
  }

  /** Enough: who pulls the whole state of another keeps its own content until the next audit. */
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
    victim = cluster.names.get(1 + random.nextInt(cluster.names.size() - 1));
    ReplicaState state = cluster.site(victim).state();
    int altered = 0;
    for (LiveEntry<?> live : List.copyOf(state.liveEntries())) {
      if (altered == 0 || random.nextInt(3) == 0) {
        alter(state, live, "altered" + altered++);
      }
    }
  }

  /** Puts and removals at those that hold what was put: the victim would not know what it hides. */
  @Override
  void call(Site site, String name, int number) {
    for (int i = 0; i < 3 && !name.equals(victim); i++) {
      String value = random.nextBoolean() ? null : "n" + number + "." + i;
      cluster.call(name, "d" + random.nextInt(ENTRIES), value, WriteLevel.LOCAL);
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
    for (Site site : cluster.running()) {
      boolean altered = site.map().values().stream().anyMatch(value -> value.startsWith("alter"));
      check(!altered, "altered content is left at {}", site.group().self());
    }
  }
}
