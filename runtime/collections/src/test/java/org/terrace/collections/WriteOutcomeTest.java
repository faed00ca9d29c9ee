package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.simulated.SimulatedGroup;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/**
 * The two ways in which an update fails, told apart: one that is made and not acknowledged counts
 * once and is not to be repeated where two of it are not one; one that is refused counts not at
 * all, and once when it is repeated.
 */
class WriteOutcomeTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final int WRITES_WAITING_MAX = 1 << 17;
  private static final List<String> NAMES = List.of("a", "b");
  private static final SetOptions<String> BOTH =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.allOf(2));

  private final Simulation simulation = new Simulation(1, SimulationOptions.calm());
  private final List<SimulatedGroup> groups = new ArrayList<>();
  private final List<ReplicatedCollections> replicas = new ArrayList<>();

  /** A clock that a wait moves on by looking at it, so that it ends though nothing else happens. */
  private record ReadingClock(TimeSource time, long[] readings) implements TimeSource {
    @Override
    public long epochNanos() {
      return time.epochNanos();
    }

    @Override
    public long elapsedNanos() {
      return time.elapsedNanos() + ++readings[0];
    }
  }

  /** Two members that have met and are cut off from each other, and know it. */
  @BeforeEach
  void cutOff() {
    for (String name : NAMES) {
      simulation.addNode(
          name,
          node -> {
            SimulatedGroup group = new SimulatedGroup(node, MembershipOptions.defaults(), NAMES);
            CollectionsOptions options =
                CollectionsOptions.defaults()
                    .withTime(new ReadingClock(node.time(), new long[1]))
                    .withWriteTimeout(Duration.ofNanos(20), Duration.ZERO);
            groups.add(group);
            replicas.add(ReplicatedCollections.open(group, options));
          });
    }
    awaitMembers(2);
    simulation.partition(Set.of("a"));
    awaitMembers(1);
  }

  private void awaitMembers(int members) {
    assertThat(
            simulation.runUntil(
                () -> groups.stream().allMatch(one -> one.view().members().size() == members),
                10 * SECOND))
        .isTrue();
  }

  private void heal() {
    simulation.heal();
    awaitMembers(2);
    simulation.runFor(2 * SECOND);
  }

  private static void assertMade(ThrowingCallable update) {
    assertThatThrownBy(update)
        .isInstanceOf(UnacknowledgedWriteException.class)
        .hasMessageContaining("counts twice");
  }

  @Test
  void whatIsNotAcknowledgedIsMadeAndCountsOnceEverywhere() {
    List<ReplicatedCounters<String>> counters = new ArrayList<>();
    List<ReplicatedQueue<String>> queues = new ArrayList<>();
    List<ReplicatedList<String>> lists = new ArrayList<>();
    for (ReplicatedCollections replica : replicas) {
      counters.add(replica.counters("counters", BOTH));
      queues.add(replica.queue("queue", BOTH));
      lists.add(replica.list("list", BOTH));
    }
    assertMade(() -> counters.getFirst().add("k", 5));
    assertMade(() -> queues.getFirst().offer("e"));
    assertMade(() -> lists.getFirst().add("e"));
    assertMade(() -> lists.getFirst().add(0, "first"));
    assertThat(counters.getFirst().get("k")).isEqualTo(5);
    heal();

    assertThat(counters).allSatisfy(one -> assertThat(one.get("k")).isEqualTo(5));
    assertThat(queues).allSatisfy(one -> assertThat(one).containsExactly("e"));
    assertThat(lists).allSatisfy(one -> assertThat(one).containsExactly("first", "e"));
  }

  @Test
  void whateverIsClearedIsClearedWholly() {
    var map =
        replicas
            .getFirst()
            .map("map", MapOptions.of(Codecs.string(), Codecs.string()))
            .withLevel(WriteLevel.LOCAL);
    for (int i = 0; i < WRITES_WAITING_MAX + 10; i++) {
      map.put("k" + i, "v");
    }
    assertMade(() -> map.withLevel(WriteLevel.allOf(2)).clear());

    assertThat(map).isEmpty();
  }

  @Test
  void whatIsRefusedCountsOnceWhenItIsRepeated() {
    List<ReplicatedCounters<String>> counters = new ArrayList<>();
    List<ReplicatedQueue<String>> queues = new ArrayList<>();
    for (ReplicatedCollections replica : replicas) {
      counters.add(replica.counters("counters", BOTH));
      queues.add(replica.queue("queue", BOTH));
    }
    var others =
        replicas
            .getFirst()
            .map("others", MapOptions.of(Codecs.string(), Codecs.string()))
            .withLevel(WriteLevel.allOf(2));
    for (int i = 0; i < WRITES_WAITING_MAX; i++) {
      others.putAsync("k", "v");
    }
    List<ThrowingCallable> updates =
        List.of(() -> counters.getFirst().add("k", 5), () -> queues.getFirst().offer("e"));
    for (ThrowingCallable update : updates) {
      assertThatThrownBy(update)
          .isInstanceOf(WriteRefusedException.class)
          .hasMessageContaining("try again later");
    }
    assertThat(counters.getFirst().get("k")).isZero();
    assertThat(queues.getFirst()).isEmpty();
    heal();
    assertThat(counters).allSatisfy(one -> assertThat(one.get("k")).isZero());
    updates.forEach(WriteOutcomeTest::assertMade); // nobody answers while time stands still
    simulation.runFor(2 * SECOND);

    assertThat(counters).allSatisfy(one -> assertThat(one.get("k")).isEqualTo(5));
    assertThat(queues).allSatisfy(one -> assertThat(one).containsExactly("e"));
  }
}
