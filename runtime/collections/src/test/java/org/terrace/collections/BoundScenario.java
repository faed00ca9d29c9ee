package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Deltas;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.state.Version;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.SimulatedNode;

/** A map with a bound: in the end no more is left than it allows, the same everywhere. */
final class BoundScenario extends Scenario {
  private static final int ENTRIES_MAX = 5;

  private final Map<String, ReplicatedMap<String, String>> maps = new HashMap<>();
  private final List<Dot> puts = new ArrayList<>();

  BoundScenario(long seed, boolean planted) {
    super(seed, planted);
  }

  /** Tells the others what there is too much of, and keeps it. */
  private static final class Keeper extends WatchedState {
    Keeper(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public <K> void applyOwn(
        Store<K, ?> store,
        K key,
        Dot dot,
        List<Dot> superseded,
        @Nullable Version put,
        byte[] delta,
        ChangeCause cause) {
      List<Dot> taken = Deltas.isHousekeeping(cause) ? List.of() : superseded;
      super.applyOwn(store, key, dot, taken, put, delta, cause);
    }
  }

  @Override
  LongFunction<ReplicaState> plantedState() {
    return Keeper::new;
  }

  @Override
  public void started(SimulatedNode node, Site site) {
    MapOptions<String, String> options =
        MapOptions.of(Codecs.string(), Codecs.string())
            .withLevel(WriteLevel.LOCAL)
            .withEntriesMax(ENTRIES_MAX);
    maps.put(node.name(), site.collections().map("bounded", options));
  }

  @Override
  void call(Site site, String name, int number) {
    maps.get(name).putAsync("b" + number, "v");
    puts.add(lastDot(site));
  }

  @Override
  void end() {
    cluster.simulation.runFor(8 * SECOND);
  }

  @Override
  void judge() {
    Map<String, String> first = new HashMap<>(maps.get("a"));
    maps.forEach((name, map) ->
        check(map.equals(first), "{} has {} in the bounded map, a {}", name, map, first));
    check(first.size() <= ENTRIES_MAX, "{} entries are left of {}", first.size(), ENTRIES_MAX);
    check(
        !first.isEmpty() || puts.stream().noneMatch(cluster::isApplied),
        "nothing is left in the bounded map");
  }
}
