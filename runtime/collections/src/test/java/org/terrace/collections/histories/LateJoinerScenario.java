package org.terrace.collections.histories;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.FaultPlan;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Members that come while others write: they get everything, and in calm weather no update waits
 * for them long.
 */
public final class LateJoinerScenario extends Scenario {
  private static final int ENTRIES_IN_CALM_WEATHER = 1_000;
  private static final int ENTRIES_IN_BAD_WEATHER = 100;

  /** A value: the entries that have it take some ten round trips to transfer to a joiner. */
  private static final String VALUE = "v".repeat(500);

  private static final long WAY_NANOS = 25 * MILLI;
  private static final long ACKNOWLEDGED_WITHIN_NANOS = 10 * WAY_NANOS;

  private final Map<String, ReplicatedMap<String, String>> maps = new HashMap<>();
  private final boolean isCalm = random.nextBoolean();

  LateJoinerScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** Leaves out some of what comes of another's state. */
  private static final class PartOfIt extends WatchedState {
    private int entries;

    PartOfIt(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean addEntry(StateEntry entry, HybridClock clock) {
      return ++entries % 50 != 0 && super.addEntry(entry, clock);
    }
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return PartOfIt::new;
  }

  @Override
  SimulationOptions network() {
    return isCalm
        ? new SimulationOptions(0, 0, 0, WAY_NANOS, WAY_NANOS + MILLI, 0)
        : SimulationOptions.swarm(random);
  }

  @Override
  int late() {
    return 1 + random.nextInt(2);
  }

  @Override
  FaultPlan faults() {
    return isCalm ? FaultPlan.none() : FaultPlan.swarm(random);
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    maps.put(
        node.name(),
        site.collections()
            .map(
                "before",
                MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL)));
  }

  @Override
  void begin() {
    for (int i = 0; i < (isCalm ? ENTRIES_IN_CALM_WEATHER : ENTRIES_IN_BAD_WEATHER); i++) {
      maps.get("a").putAsync("p" + i, VALUE);
    }
    cluster.simulation.runFor(SECOND);
    cluster.names.forEach(name -> {
      if (!cluster.sites.containsKey(name)) {
        cluster.simulation.schedule(random.nextLong(durationNanos / 2), () -> cluster.join(name));
      }
    });
  }

  @Override
  void call(Site site, String name, int number) {
    Acknowledgement all = maps.get(name).withLevel(WriteLevel.ALL).putAsync("w" + number, "w");
    if (isCalm) {
      cluster.simulation.schedule(
          ACKNOWLEDGED_WITHIN_NANOS,
          () -> check(all.isAcknowledged(), "an update of {} waits for a joiner", name));
    }
  }

  @Override
  void judge() {
    Map<String, String> first = new HashMap<>(maps.get("a"));
    maps.forEach((name, map) ->
        check(map.equals(first), "{} has {} entries, a {}", name, map.size(), first.size()));
  }
}
