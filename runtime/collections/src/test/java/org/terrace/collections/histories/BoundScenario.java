package org.terrace.collections.histories;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SimulatedCluster.Site;
import org.terrace.collections.WatchedState;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Deltas;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.SimulatedNode;

/**
 * A map with a bound: no replica ever evicts more than it has too much of, and in the end no more
 * is left than the bound allows, the same everywhere.
 */
public final class BoundScenario extends Scenario {
  private static final int ENTRIES_MAX = 5;

  private final Map<String, ReplicatedMap<String, String>> maps = new HashMap<>();
  private int puts;

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

  /** Notes who evicts although no more is there than the bound allows. */
  private final class Counting extends WatchedState {
    Counting(long logBytesMax) {
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
      int before = store.slots.size();
      super.applyOwn(store, key, dot, superseded, put, delta, cause);
      check(
          cause != ChangeCause.EVICTED || before > ENTRIES_MAX,
          "{} evicted one of {} entries",
          dot.writer(),
          before);
    }
  }

  @Override
  LongFunction<ReplicaState> soundState() {
    return Counting::new;
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
    puts++;
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
    // With a crash the very entries may be lost for which the others had to go.
    check(
        cluster.hasCrashed() || first.size() == Math.min(puts, ENTRIES_MAX),
        "{} entries are left of {} puts",
        first.size(),
        puts);
  }
}
