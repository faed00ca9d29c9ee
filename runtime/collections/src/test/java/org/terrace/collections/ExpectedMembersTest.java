package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** A replica that was told the size of its group, and sees fewer from its first moment on. */
// What waits for members that never come fails by this, and not by the limit of the whole run.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExpectedMembersTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final List<String> NAMES = List.of("a", "b");
  private static final WriteLevel BOTH = WriteLevel.replicas(2);
  private static final MapOptions<String, String> MAP =
      MapOptions.of(Codecs.string(), Codecs.string());
  private static final SetOptions<String> SET = SetOptions.of(Codecs.string()).withLevel(BOTH);

  private static final Expiry IDLE = Expiry.sinceUse(Duration.ofHours(1));
  private static final Expiry OTHER_IDLE = Expiry.sinceUse(Duration.ofHours(2));

  private final Simulation simulation = new Simulation(1, SimulationOptions.calm());
  private final List<SimulatedGroup> groups = new ArrayList<>();
  private final List<ReplicatedCollections> replicas = new ArrayList<>();

  private ReplicatedCollections open(String name, int expected) {
    simulation.addNode(
        name,
        node -> {
          SimulatedGroup group =
              new SimulatedGroup(node, MembershipOptions.defaults(), NAMES).expecting(expected);
          CollectionsOptions options = CollectionsOptions.defaults().withTime(node.time());
          groups.add(group);
          replicas.add(ReplicatedCollections.open(group, options));
        });
    return replicas.getLast();
  }

  private static void assertRefused(String what, ThrowingCallable update) {
    assertThatThrownBy(update)
        .as(what)
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("2 members are to hold this update, and this member sees 1 of the 2");
  }

  /** The collections of one replica, whose updates two members are to hold. */
  private record Shop(
      ReplicatedMap<String, String> map,
      ReplicatedMap<String, String> idle,
      ReplicatedCounters<String> counters,
      ReplicatedQueue<String> queue,
      ReplicatedList<String> list,
      ReplicatedSet<String> set) {
    static Shop of(ReplicatedCollections replica) {
      return new Shop(
          replica.map("map", MAP).withLevel(BOTH),
          replica.map("idle", MAP.withExpiry(IDLE)).withLevel(BOTH),
          replica.counters("counters", SET),
          replica.queue("queue", SET),
          replica.list("list", SET),
          replica.set("set", SET));
    }

    /** Each way to change something. */
    Map<String, ThrowingCallable> updates() {
      Map<String, ThrowingCallable> updates = new LinkedHashMap<>();
      updates.put("put", () -> map.put("new", "1"));
      updates.put("put at allOf", () -> map.withLevel(WriteLevel.allOf(2)).put("new", "1"));
      updates.put("put without waiting", () -> map.putAsync("new", "1"));
      updates.put("own idle time", () -> idle.withExpiry(OTHER_IDLE).put("new", "1"));
      updates.put("merge", () -> map.merge("kept", "2", String::concat));
      updates.put("counter", () -> counters.add("k", 5));
      updates.put("offer", () -> queue.offer("e"));
      updates.put("add to a list", () -> list.add("e"));
      updates.put("insert into a list", () -> list.add(0, "e"));
      updates.put("add to a set", () -> set.add("e"));
      return updates;
    }
  }

  @Test
  void whatMoreAreToHoldThanAreThereIsRefusedAtOnceAndNothingOfItIsMade() {
    Shop alone = Shop.of(open("a", 2));
    alone.map.withLevel(WriteLevel.LOCAL).put("kept", "1");
    alone.updates().forEach(ExpectedMembersTest::assertRefused);

    assertThat(alone.map).containsExactly(Map.entry("kept", "1"));
    assertThat(alone.idle).isEmpty();
    assertThat(alone.counters.toMap()).isEmpty();
    assertThat(alone.queue).isEmpty();
    assertThat(alone.list).isEmpty();
    assertThat(alone.set).isEmpty();
  }

  @Test
  void aCallThatDoesNotWaitCompletesWithTheRefusal() {
    var map = open("a", 2).map("map", MAP).withLevel(BOTH);
    var stage = map.async().put("k", "v").toCompletableFuture();

    assertThat(stage).isCompletedExceptionally();
    assertThat(stage.exceptionNow()).isInstanceOf(WriteRefusedException.class);
    assertThat(map).isEmpty();
  }

  @Test
  void anElementStaysIfItCannotBeTakenAsTheLevelAsks() {
    ReplicatedCollections here = open("a", 2);
    ReplicatedQueue<String> queue = here.queue("queue", SET);
    ReplicatedList<String> list = here.list("list", SET);
    ReplicatedCollections other = open("b", 2);
    awaitBelowExpected(false);
    other.queue("queue", SET.withLevel(WriteLevel.LOCAL)).offer("e");
    other.list("list", SET.withLevel(WriteLevel.LOCAL)).addAll(List.of("b", "a"));
    simulation.runFor(SECOND);
    simulation.partition(Set.of("a"));
    awaitBelowExpected(true);
    simulation.runFor(2 * SECOND);

    assertThat(queue).containsExactly("e");
    assertRefused("poll", queue::poll);
    assertRefused("remove at an index", () -> list.remove(1));
    assertRefused("remove the first", list::removeFirst);
    assertRefused("sort", () -> list.sort(Comparator.naturalOrder()));
    assertThat(queue).containsExactly("e");
    assertThat(list).containsExactly("b", "a");
  }

  @Test
  void whoeverMustAskForAnElementIsRefusedBeforeHeAsks() {
    open("a", 3);
    open("b", 3);
    assertThat(simulation.runUntil(this::bothAreThere, 10 * SECOND)).isTrue();
    SimulatedGroup first = groups.getFirst();
    boolean isFirst = first.view().members().getFirst().equals(first.self());
    ReplicatedCollections giving = isFirst ? replicas.getFirst() : replicas.getLast();
    ReplicatedCollections taking = isFirst ? replicas.getLast() : replicas.getFirst();
    ReplicatedQueue<String> queue = giving.queue("queue", SET.withLevel(WriteLevel.LOCAL));
    SetOptions<String> ofThree = SET.withLevel(WriteLevel.replicas(3));
    ReplicatedQueue<String> taker = taking.queue("queue", ofThree);
    queue.offer("e");
    simulation.runFor(2 * SECOND);
    assertThat(taker).containsExactly("e");

    assertThatThrownBy(taker::poll)
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("3 members are to hold this update");
    simulation.runFor(SECOND);
    assertThat(queue.poll()).as("nobody keeps it").isEqualTo("e");
  }

  private boolean bothAreThere() {
    return groups.stream().allMatch(group -> group.view().members().size() == 2);
  }

  /** Calls that only remove, of entries that one replica holds and two are to have forgotten. */
  private static Map<String, Runnable> removals(
      ReplicatedMap<String, String> map, ReplicatedMap<String, String> cleared) {
    List.of("removed", "by value", "by its set", "computed").forEach(key -> map.put(key, "1"));
    List.of("one", "two").forEach(key -> cleared.put(key, "1"));
    var both = map.withLevel(BOTH);
    Map<String, Runnable> removals = new LinkedHashMap<>();
    removals.put("remove", () -> both.remove("removed"));
    removals.put("remove a value", () -> both.remove("by value", "1"));
    removals.put("remove a key", () -> both.keySet().remove("by its set"));
    removals.put("compute nothing", () -> both.compute("computed", (key, value) -> null));
    removals.put("clear", cleared.withLevel(BOTH)::clear);
    return removals;
  }

  @Test
  void aRemovalIsMadeHereAndIsSaidAtOnceNotToBeConfirmed() {
    ReplicatedCollections alone = open("a", 2);
    var map = alone.map("map", MAP).withLevel(WriteLevel.LOCAL);
    var cleared = alone.map("cleared", MAP).withLevel(WriteLevel.LOCAL);
    Map<String, CompletableFuture<?>> calls = new LinkedHashMap<>();
    removals(map, cleared)
        .forEach((what, removal) ->
            calls.put(
                what,
                alone
                    .submit(() -> {
                      removal.run();
                      return what;
                    })
                    .toCompletableFuture()));

    calls.forEach((what, call) -> {
      assertThat(call).as(what).isCompletedExceptionally();
      assertNotConfirmed(call.exceptionNow());
    });
    assertThat(map).isEmpty();
    assertThat(cleared).isEmpty();
    removals(map, cleared)
        .forEach((what, removal) -> assertNotConfirmed(catchThrowable(removal::run)));
    map.put("removed", "1");
    var write = map.withLevel(BOTH).removeAsync("removed");
    assertThat(write.await(Duration.ofHours(1).toNanos(), 0)).isFalse();
    assertThat(write.isAcknowledged()).isFalse();
    assertThat(map).isEmpty();
    assertThat(cleared).isEmpty();
    assertThat(alone.metrics().writesWaiting()).isZero();

    var other = open("b", 2).map("map", MAP);
    awaitBelowExpected(false);
    map.put("last", "1");
    assertThat(simulation.runUntil(() -> other.containsKey("last"), 10 * SECOND)).isTrue();
    simulation.runFor(2 * SECOND);
    assertThat(other).containsOnlyKeys("last");
  }

  private static void assertNotConfirmed(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOf(UnacknowledgedWriteException.class)
        .hasMessageContaining("it is made")
        .hasMessageContaining("this member sees 1 of the 2 expected");
  }

  @Test
  void whatIsEmptyIsClearedAlreadyUnlessItWasEmptiedHereAndNobodyElseKnows() {
    ReplicatedCollections alone = open("a", 2);
    var map = alone.map("map", MAP);
    map.withLevel(BOTH).clear();
    assertThat(alone.submit(() -> clear(map.withLevel(BOTH))).toCompletableFuture()).isCompleted();

    map.withLevel(WriteLevel.LOCAL).put("k", "v");
    map.withLevel(WriteLevel.LOCAL).remove("k");
    assertNotConfirmed(catchThrowable(map.withLevel(BOTH)::clear));
  }

  private static boolean clear(Map<?, ?> map) {
    map.clear();
    return map.isEmpty();
  }

  @Test
  void aMemberThatIsLeavingIsNoneOfThoseThatAreToHoldAnUpdate() {
    var map = open("a", 2).map("map", MAP).withLevel(BOTH);
    ReplicatedCollections other = open("b", 2);
    awaitBelowExpected(false);
    simulation.runFor(SECOND);
    assertThat(map.putAsync("before", "1")).isNotNull();
    simulation.runFor(SECOND);
    // Its group stays: only the replica goes.
    assertThat(other.leave(Duration.ZERO)).isFalse();
    simulation.runFor(2 * SECOND);

    assertThat(groups.getFirst().view().members()).hasSize(2);
    assertRefused("put beside one that leaves", () -> map.putAsync("k", "v"));
    assertThat(map).doesNotContainKey("k");
  }

  private void awaitBelowExpected(boolean isBelow) {
    assertThat(
            simulation.runUntil(
                () -> groups.stream().allMatch(one -> one.view().isBelowExpected() == isBelow),
                10 * SECOND))
        .isTrue();
  }

  @Test
  void aRequestIsDecidedAllTheSameForOthersThatRanItMayDecideIt() {
    ReplicatedCollections alone = open("a", 2);
    var map = alone.map("map", MAP).withLevel(BOTH);
    var filled = alone.map("filled", MAP).withLevel(BOTH);
    filled.withLevel(WriteLevel.LOCAL).put("k", "v");
    var list = alone.list("list", SET);
    var requests = RequestDeduplication.open(alone, "service", WriteLevel.LOCAL);
    RequestIdentity request = new RequestIdentity(1, 1);
    Callable<byte[]> work =
        () -> {
          filled.clear();
          list.clear();
          map.put("k", "v");
          return new byte[] {1};
        };
    CompletableFuture<Optional<byte[]>> reply =
        alone
            .submit(() -> {
              try {
                return requests.execute(request, true, work, _ -> true);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            })
            .toCompletableFuture();

    assertThat(reply).as("it is not confirmed").isNotDone();
    assertThat(map).containsEntry("k", "v");
    assertThat(filled).isEmpty();
    open("b", 2);
    awaitBelowExpected(false);
    simulation.runFor(10 * SECOND);
    // A thread that simulates nothing tells it.
    assertThat(reply).succeedsWithin(Duration.ofSeconds(30));
    assertThat(replicas.getLast().map("map", MAP)).containsEntry("k", "v");
    assertThat(requests.metrics().decidedHere()).isEqualTo(1);
  }

  @Test
  void aRequestThatClearsWaitsForNobodyWhileItRuns() {
    ReplicatedCollections alone = open("a", 2);
    var filled = alone.map("filled", MAP).withLevel(BOTH);
    filled.withLevel(WriteLevel.LOCAL).put("k", "v");
    var requests = RequestDeduplication.open(alone, "service", WriteLevel.LOCAL);
    Callable<byte[]> work =
        () -> {
          filled.clear();
          throw new IllegalStateException("the work is at its end");
        };
    var run =
        CompletableFuture.runAsync(() ->
            assertThatThrownBy(
                    () -> requests.execute(new RequestIdentity(1, 1), true, work, _ -> true))
                .hasMessage("the work is at its end"));

    assertThat(run).succeedsWithin(Duration.ofSeconds(20));
    assertThat(filled).containsEntry("k", "v");
  }

  @Test
  void theLevelsThatThoseAtHandReachGoOnAndTheViewSaysThatMembersAreMissing() {
    var map = open("a", 3).map("map", MAP);
    assertThat(groups.getFirst().view().isBelowExpected()).isTrue();
    assertThat(groups.getFirst().view().isMinority()).isTrue();

    assertThat(map.withLevel(WriteLevel.ALL).putAsync("all", "1").isAcknowledged()).isTrue();
    assertThat(map.withLevel(WriteLevel.LOCAL).putAsync("local", "1").isAcknowledged()).isTrue();
  }

  @Test
  void onceTheMembersAreThereTheSameUpdatesAreMade() {
    ReplicatedCollections first = open("a", 2);
    var map = first.map("map", MAP).withLevel(BOTH);
    assertRefused("alone", () -> map.put("k", "v"));
    open("b", 2);
    awaitBelowExpected(false);
    var write = map.putAsync("k", "v");
    simulation.runFor(SECOND);

    assertThat(write.isAcknowledged()).isTrue();
    assertThat(replicas.getLast().map("map", MAP)).containsEntry("k", "v");
  }
}
