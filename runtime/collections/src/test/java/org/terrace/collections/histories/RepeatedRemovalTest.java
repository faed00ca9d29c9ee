package org.terrace.collections.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedList;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.ReplicatedSet;
import org.terrace.collections.SetOptions;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * Removals that are repeated after they were not confirmed: they find nothing, and are confirmed no
 * sooner than those before them.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RepeatedRemovalTest {
  private static final long SECOND = Scenario.SECOND;
  private static final List<String> NAMES = List.of("a", "b");
  private static final WriteLevel LOCAL = WriteLevel.LOCAL;
  private static final WriteLevel BOTH = WriteLevel.replicas(2);
  private static final MapOptions<String, String> MAP =
      MapOptions.of(Codecs.string(), Codecs.string());
  private static final SetOptions<String> SET = SetOptions.of(Codecs.string());

  private final Simulation simulation = new Simulation(1, SimulationOptions.calm());
  private final List<SimulatedGroup> groups = new ArrayList<>();
  private final List<ReplicatedCollections> replicas = new ArrayList<>();

  private ReplicatedCollections open(String name) {
    simulation.addNode(
        name,
        node -> {
          SimulatedGroup group =
              new SimulatedGroup(node, MembershipOptions.defaults(), NAMES).expecting(2);
          groups.add(group);
          replicas.add(
              ReplicatedCollections.open(
                  group, CollectionsOptions.defaults().withTime(node.time())));
        });
    return replicas.getLast();
  }

  private void awaitMembers(int members) {
    assertThat(
            simulation.runUntil(
                () -> groups.stream().allMatch(one -> one.view().members().size() == members),
                10 * SECOND))
        .isTrue();
  }

  private static void assertNotConfirmed(String what, ThrowingCallable removal) {
    assertThatThrownBy(removal).as(what).isInstanceOf(UnacknowledgedWriteException.class);
  }

  /** A call that removes, of a collection of its own. */
  private record Removal(String what, Runnable call) {}

  private static final Set<String> KEYS = Set.of("k", "l");
  private static final Set<Map.Entry<String, String>> ENTRIES =
      Set.of(Map.entry("k", "v"), Map.entry("l", "v"));

  /** Each way to remove at one replica, from collections with these entries, if any. */
  private static List<Removal> removals(
      ReplicatedCollections replica, @Nullable ReplicatedCollections filling) {
    List<Removal> all = new ArrayList<>();
    ofMaps()
        .forEach((what, call) -> {
          var map = replica.map(what, MAP).withLevel(BOTH);
          if (filling != null) {
            var there = filling.map(what, MAP).withLevel(LOCAL);
            KEYS.forEach(key -> there.put(key, "v"));
          }
          all.add(new Removal(what, () -> call.accept(map)));
        });
    ofOthers()
        .forEach((what, call) -> {
          String[] names = {what + " (set)", what + " (list)", what + " (queue)"};
          if (filling != null) {
            filling.set(names[0], SET.withLevel(LOCAL)).addAll(KEYS);
            filling.list(names[1], SET.withLevel(LOCAL)).addAll(KEYS);
            filling.queue(names[2], SET.withLevel(LOCAL)).addAll(KEYS);
          }
          var set = replica.set(names[0], SET.withLevel(BOTH));
          var list = replica.list(names[1], SET.withLevel(BOTH));
          var queue = replica.queue(names[2], SET.withLevel(BOTH));
          all.add(new Removal(names[0], () -> call.accept(set)));
          all.add(new Removal(names[1], () -> call.accept(list)));
          if (!what.equals("clear")) { // which takes one element after the other
            all.add(new Removal(names[2], () -> call.accept(queue)));
          }
        });
    return all;
  }

  private static Map<String, Consumer<ReplicatedMap<String, String>>> ofMaps() {
    Map<String, Consumer<ReplicatedMap<String, String>>> all = new LinkedHashMap<>();
    all.put("remove", map -> map.remove("k"));
    all.put("remove a value", map -> map.remove("k", "v"));
    all.put("compute", map -> map.compute("k", (key, value) -> null));
    all.put("compute if present", map -> map.computeIfPresent("k", (key, value) -> null));
    all.put("clear", Map::clear);
    all.put("key", map -> map.keySet().remove("k"));
    all.put("keys", map -> map.keySet().removeAll(KEYS));
    all.put("keys if", map -> map.keySet().removeIf(KEYS::contains));
    all.put("keys retained", map -> map.keySet().retainAll(Set.of("m")));
    all.put("value", map -> map.values().remove("v"));
    all.put("values", map -> map.values().removeAll(Set.of("v")));
    all.put("values if", map -> map.values().removeIf("v"::equals));
    all.put("values retained", map -> map.values().retainAll(Set.of("w")));
    all.put("entry", map -> map.entrySet().remove(Map.entry("k", "v")));
    all.put("entries", map -> map.entrySet().removeAll(ENTRIES));
    all.put("entries if", map -> map.entrySet().removeIf(ENTRIES::contains));
    all.put("entries retained", map -> map.entrySet().retainAll(Set.of()));
    return all;
  }

  private static Map<String, Consumer<Collection<String>>> ofOthers() {
    Map<String, Consumer<Collection<String>>> all = new LinkedHashMap<>();
    all.put("one", some -> some.remove("k"));
    all.put("all", some -> some.removeAll(KEYS));
    all.put("if", some -> some.removeIf(KEYS::contains));
    all.put("retained", some -> some.retainAll(Set.of("m")));
    all.put("clear", Collection::clear);
    return all;
  }

  @Test
  void aServerThatIsAloneConfirmsNoRemovalHoweverOftenItIsRepeated() {
    ReplicatedCollections here = open("a");
    ReplicatedCollections other = open("b");
    awaitMembers(2);
    List<Removal> removals = removals(here, other);
    simulation.runFor(2 * SECOND);
    simulation.partition(Set.of("a"));
    awaitMembers(1);
    for (Removal removal : removals) {
      for (int i = 0; i < 4; i++) {
        assertNotConfirmed(removal.what + " " + i, removal.call::run);
      }
    }
    assertThat(here.metrics().writesWaiting()).isZero();

    simulation.heal();
    awaitMembers(2);
    simulation.runFor(2 * SECOND);
    removals.forEach(removal -> removal.call.run());
  }

  @Test
  void oneCallRemovesAllThatItIsToRemoveThoughItIsNotConfirmed() {
    ReplicatedCollections here = open("a");
    ReplicatedCollections other = open("b");
    awaitMembers(2);
    ReplicatedList<String> list = here.list("list", SET.withLevel(BOTH));
    ReplicatedSet<String> set = here.set("set", SET.withLevel(BOTH));
    other.list("list", SET.withLevel(LOCAL)).addAll(KEYS);
    other.set("set", SET.withLevel(LOCAL)).addAll(KEYS);
    simulation.runFor(2 * SECOND);
    simulation.partition(Set.of("a"));
    awaitMembers(1);
    assertThat(list).hasSize(2);
    assertThat(set).hasSize(2);
    assertNotConfirmed("members", () -> set.removeAll(KEYS));
    assertNotConfirmed("elements", () -> list.removeAll(KEYS));

    assertThat(set).isEmpty();
    assertThat(list).isEmpty();
  }

  @Test
  void whatNobodyRemovedHereIsConfirmedAtOnce() {
    ReplicatedCollections alone = open("a");
    var other = alone.map("other", MAP).withLevel(LOCAL);
    other.put("k", "v");
    other.remove("k");
    removals(alone, null).forEach(removal -> removal.call.run());

    assertNotConfirmed("of another", () -> other.withLevel(BOTH).clear());
  }

  @Test
  void whatTwoOnceHeldIsConfirmedThoughOneOfThemHasGone() {
    ReplicatedCollections here = open("a");
    open("b");
    awaitMembers(2);
    var map = here.map("map", MAP).withLevel(BOTH);
    map.withLevel(LOCAL).put("k", "v");
    var acknowledged = map.removeAsync("k");
    simulation.runFor(2 * SECOND);
    assertThat(acknowledged.isAcknowledged()).isTrue();
    simulation.partition(Set.of("a"));
    awaitMembers(1);

    assertThat(map.remove("k")).isNull();
  }

  @Test
  void aCallThatFindsWhatIsNotYetConfirmedWaitsToo() {
    ReplicatedCollections alone = open("a");
    ReplicatedMap<String, String> map = alone.map("map", MAP).withLevel(BOTH);
    map.withLevel(LOCAL).put("k", "v");

    assertNotConfirmed("put if absent", () -> map.putIfAbsent("k", "w"));
    assertNotConfirmed("replace nothing", () -> map.replace("l", "w"));
    assertNotConfirmed("replace another", () -> map.replace("k", "w", "x"));
    assertThat(map.withLevel(LOCAL).putIfAbsent("k", "w")).isEqualTo("v");
    assertThat(map).containsOnly(Map.entry("k", "v"));
  }

  /** Nobody answers in a cut that is not seen yet; the removal is confirmed once it heals. */
  @Test
  void inACutThatIsNotSeenYetTheRepeatedRemovalWaitsAndEndsOnceTheOtherHasTheFirst() {
    ReplicatedCollections here = open("a");
    open("b");
    awaitMembers(2);
    simulation.runFor(SECOND);
    ReplicatedMap<String, String> map = here.map("map", MAP).withLevel(WriteLevel.ALL);
    map.putAsync("k", "v");
    simulation.runFor(SECOND);
    simulation.partition(Set.of("a"));
    var first = here.submit(() -> map.remove("k")).toCompletableFuture();
    var again = here.submit(() -> map.remove("k")).toCompletableFuture();
    assertThat(first).isNotDone();
    assertThat(again).isNotDone();
    simulation.heal();
    simulation.runFor(SECOND);

    assertThat(again).succeedsWithin(Duration.ofSeconds(20)).isNull();
    assertThat(replicas.getLast().map("map", MAP)).isEmpty();
  }
}
