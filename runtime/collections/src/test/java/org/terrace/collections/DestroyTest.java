package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.collections.SimulatedCluster.SECOND;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.CollectionDestroyedException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.ReplicaState;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.simulation.SimulationOptions;

/** A collection that is destroyed is gone everywhere, says so, and leaves nothing. */
class DestroyTest {
  private static final MapOptions<String, String> LOCAL =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final SetOptions<String> ELEMENTS =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);

  private static boolean destroyNow(ReplicatedCollections replica, String name) {
    return replica.destroy(name, Duration.ZERO);
  }

  @Test
  void everyCallOnAHandleOfADestroyedCollectionSaysSo() {
    Replicas replicas = new Replicas(2);
    ReplicatedCollections b = replicas.get(1);
    var map = b.map("map", LOCAL);
    var sorted = b.sortedMap("sorted", LOCAL, Comparator.<String>naturalOrder());
    var set = b.set("set", ELEMENTS);
    var counters = b.counters("counters", ELEMENTS);
    var list = b.list("list", ELEMENTS);
    var queue = b.queue("queue", ELEMENTS);
    map.put("k", "v");
    sorted.put("k", "v");
    set.add("m");
    counters.add("c", 1);
    list.add("e");
    queue.add("e");
    Iterable<String> view = map.keySet();
    replicas.converge();
    for (String name : List.of("map", "sorted", "set", "counters", "list", "queue")) {
      assertThat(destroyNow(replicas.get(0), name)).isFalse();
    }
    replicas.simulation.runFor(SECOND / 20);
    List<ThrowingCallable> calls =
        List.of(
            () -> map.get("k"),
            () -> map.put("k", "w"),
            () -> map.putAsync("k", "w"),
            () -> map.removeAsync("k"),
            () -> map.putIfAbsent("k", "w"),
            () -> map.remove("k"),
            () -> map.replace("k", "v", "w"),
            () -> map.size(),
            () -> map.clear(),
            () -> map.values("k"),
            () -> map.entrySet().iterator(),
            () -> view.iterator(),
            () -> map.addListener(Runnable::run, change -> {}),
            () -> map.withLevel(WriteLevel.ALL).put("k", "w"),
            () -> sorted.firstKey(),
            () -> sorted.lastKey(),
            () -> sorted.headMap("z").size(),
            () -> set.contains("m"),
            () -> set.add("m"),
            () -> counters.get("c"),
            () -> counters.add("c", 1),
            () -> counters.toMap(),
            () -> list.get(0),
            () -> list.size(),
            () -> list.add("f"),
            () -> list.add(0, "f"),
            () -> list.remove("e"),
            () -> queue.peek(),
            () -> queue.offer("f"),
            () -> queue.poll(),
            () -> queue.size());

    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d", i)
          .isInstanceOf(CollectionDestroyedException.class)
          .hasMessageContaining("was destroyed");
    }
    assertThatThrownBy(() -> b.map("map", LOCAL))
        .isInstanceOf(CollectionDestroyedException.class)
        .hasMessageContaining("is being destroyed");
    replicas.simulation.runFor(3 * SECOND);

    assertThat(b.map("map", LOCAL)).isEmpty();
    assertThat(b.list("list", ELEMENTS)).isEmpty();
    assertThat(b.queue("queue", ELEMENTS)).isEmpty();
    assertThat(b.counters("counters", ELEMENTS).get("c")).isZero();
    assertThatThrownBy(() -> map.get("k")).isInstanceOf(CollectionDestroyedException.class);
  }

  @Test
  void aNewCollectionOfTheNameHasNothingOfTheOldOne() {
    Replicas replicas = new Replicas(3);
    List<ReplicatedMap<String, String>> old = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      old.add(replicas.get(i).map("map", LOCAL));
      old.get(i).put("k" + i, "old");
    }
    replicas.converge();
    destroyNow(replicas.get(1), "map");
    old.get(0).put("late", "old"); // it has not heard of it yet
    replicas.simulation.runFor(2 * SECOND);
    List<ReplicatedMap<String, String>> fresh = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      fresh.add(replicas.get(i).map("map", LOCAL));
    }
    assertThat(fresh.get(0)).isEmpty();
    fresh.get(2).put("k", "new");
    replicas.converge();

    assertThat(fresh).allSatisfy(map -> assertThat(map).isEqualTo(Map.of("k", "new")));
    assertThat(replicas.get(0).metrics().silentDivergences()).isZero();
  }

  @Test
  void aNameThatHasTheChecksumOfAnotherIsAnother() {
    Replicas replicas = new Replicas(2);
    var stays = replicas.get(1).map("cart-701571-x8619", LOCAL);
    stays.put("k", "v");
    replicas.get(0).map("cart-410988-x6402", LOCAL).put("k", "other"); // of equal CRC-32C
    replicas.converge();
    destroyNow(replicas.get(0), "cart-410988-x6402");
    replicas.simulation.runFor(3 * SECOND);

    assertThat(stays).isEqualTo(Map.of("k", "v"));
    assertThat(replicas.get(0).map("cart-701571-x8619", LOCAL)).isEqualTo(stays);
    assertThat(replicas.get(1).map("cart-410988-x6402", LOCAL)).isEmpty();
  }

  @Test
  void namesOfHiddenCollectionsAreRefused() {
    Replicas replicas = new Replicas(2);
    for (String name : List.of("\u0000destroyed", "list\u0000places", "queue\u0000turns")) {
      assertThatThrownBy(() -> destroyNow(replicas.get(0), name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("U+0000");
      assertThatThrownBy(() -> replicas.get(0).map(name, LOCAL))
          .isInstanceOf(IllegalArgumentException.class);
    }
    replicas.get(1).map("map", LOCAL).put("k", "v");
    destroyNow(replicas.get(0), "map");
    replicas.simulation.runFor(2 * SECOND);

    assertThat(replicas.get(1).map("map", LOCAL)).isEmpty();
  }

  @Test
  void nothingIsKeptOfAThousandCollectionsThatWereDestroyed() {
    Replicas replicas = new Replicas(3);
    for (int i = 0; i < 1_000; i += 20) {
      for (int j = i; j < i + 20; j++) {
        replicas.get(j % 3).map("map" + j, LOCAL.withEntriesMax(10)).put("k", "v");
        replicas.get(j % 2).list("list" + j, ELEMENTS).add("e");
      }
      replicas.simulation.runFor(SECOND / 20);
      for (int j = i; j < i + 20; j++) {
        destroyNow(replicas.get((j + 1) % 3), "map" + j);
        destroyNow(replicas.get((j + 1) % 3), "list" + j);
      }
      replicas.simulation.runFor(2 * SECOND);
    }

    for (int i = 0; i < 3; i++) {
      assertThat(replicas.get(i).metrics().entries()).isZero();
      assertThat(replicas.get(i).state().collections()).isEqualTo(1);
      assertThat(replicas.get(i).state().applied().writers()).hasSizeLessThanOrEqualTo(3);
    }
  }

  @Test
  void whileAKnownReplicaIsAwayNothingIsOverAndWhatItPutsGoesToo() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    var cutOff = cluster.site("c").collections().map("map", LOCAL);
    cluster.simulation.partition(Set.of("c"));
    cutOff.put("before", "v");
    destroyNow(cluster.site("a").collections(), "map");
    cluster.simulation.runFor(5 * SECOND);
    cutOff.put("during", "v");

    assertThatThrownBy(() -> cluster.site("b").collections().map("map", LOCAL))
        .isInstanceOf(CollectionDestroyedException.class);
    cluster.simulation.heal();
    cluster.simulation.runFor(5 * SECOND);

    assertThatThrownBy(() -> cutOff.get("before")).isInstanceOf(CollectionDestroyedException.class);
    for (SimulatedCluster.Site site : cluster.running()) {
      assertThat(site.collections().map("map", LOCAL)).isEmpty();
    }
    assertThat(cluster.violations()).isEmpty();
  }

  @Test
  void aReplicaThatStandsStillMeanwhileAndIsForgottenHoldsUpNobody() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    var old = cluster.site("c").collections().map("map", LOCAL);
    old.put("k", "old");
    cluster.simulation.runFor(SECOND);
    ReplicatedCollections a = cluster.site("a").collections();
    destroyNow(a, "map");
    cluster.simulation.runFor(SECOND / 200); // c has the mark, and has not said so
    cluster.simulation.node("c").pause();
    cluster.simulation.runFor(5 * SECOND);
    assertThatThrownBy(() -> a.map("map", LOCAL)).isInstanceOf(CollectionDestroyedException.class);
    a.forget("c", Duration.ZERO);
    cluster.simulation.runFor(20 * SECOND);
    var fresh = a.map("map", LOCAL);
    fresh.put("k", "new");
    cluster.simulation.node("c").resume();
    cluster.simulation.runFor(5 * SECOND);
    a.map("other", LOCAL).put("k", "v");
    destroyNow(a, "other");
    cluster.simulation.runFor(5 * SECOND);

    assertThat(a.map("other", LOCAL)).isEmpty();
    assertThat(fresh).isEqualTo(Map.of("k", "new"));
    assertThatThrownBy(() -> old.get("k")).isInstanceOf(CollectionDestroyedException.class);
    assertThat(cluster.site("c").collections().map("map", LOCAL)).isEqualTo(fresh);
  }

  @Test
  void whoIsForgottenWhileItDestroysDoesNotSayThatItIsDone() {
    Map<Replica, Destruction> destructions = new HashMap<>();
    SimulatedCluster cluster =
        new SimulatedCluster(
            1,
            SimulationOptions.calm(),
            3,
            0,
            64 << 20,
            WatchedState::new,
            SimulatedCluster.ROUNDS_OVER,
            new SimulatedCluster.Addition() {
              @Override
              public Destruction destruction(Replica replica, ReplicaState state) {
                return destructions.computeIfAbsent(replica, one -> new Destruction(one, state));
              }
            });
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    var map = cluster.site("a").collections().map("map", LOCAL);
    map.put("k", "v");
    cluster.simulation.runFor(SECOND);
    ReplicatedCollections c = cluster.site("c").collections();
    Destruction destruction = destructions.get(c.replica());
    cluster.simulation.partition(Set.of("c"));
    assertThat(destroyNow(c, "map")).isFalse();
    cluster.simulation.node("c").pause();
    cluster.simulation.heal();
    cluster.simulation.runFor(5 * SECOND);
    cluster.site("a").collections().forget("c", Duration.ZERO);
    cluster.simulation.runFor(20 * SECOND);
    cluster.simulation.node("c").resume();
    for (int i = 0; i < 500; i++) {
      cluster.simulation.runFor(SECOND / 100);
      assertThat(c.replica().within(() -> destruction.isDone("map"))).isFalse();
    }

    assertThat(c.replica().within(() -> destruction.isUnderWay("map"))).isFalse();
    assertThat(map).isEqualTo(Map.of("k", "v"));
  }

  @Test
  void anOldCheckpointAndALateJoinerBringNothingBack() {
    SimulatedCluster cluster = SimulatedCluster.calm(3);
    cluster.settle();
    cluster.simulation.runFor(SECOND);
    cluster.losesDisks = false;
    cluster.losesCheckpoints = Set.of();
    var map = cluster.site("b").collections().map("map", LOCAL);
    for (int i = 0; i < 100; i++) {
      map.put("k" + i, "v");
      cluster.site("a").map().putAsync("k" + i, "stays");
    }
    cluster.simulation.runFor(SECOND); // and all have written a checkpoint
    cluster.simulation.node("c").crash();
    destroyNow(cluster.site("a").collections(), "map");
    cluster.simulation.runFor(3 * SECOND);
    cluster.simulation.node("c").restart();
    cluster.simulation.runFor(5 * SECOND);

    for (SimulatedCluster.Site site : cluster.running()) {
      assertThat(site.collections().map("map", LOCAL)).isEmpty();
      assertThat(site.map()).hasSize(100);
    }
    cluster.simulation.node("c").crash();
    cluster.simulation.node("c").disk().clear();
    cluster.simulation.node("c").shiftClock(SECOND);
    cluster.simulation.node("c").restart();
    cluster.simulation.runFor(3 * SECOND);
    assertThat(cluster.site("c").collections().map("map", LOCAL)).isEmpty();
    assertThat(cluster.hasConverged()).isTrue();
  }
}
