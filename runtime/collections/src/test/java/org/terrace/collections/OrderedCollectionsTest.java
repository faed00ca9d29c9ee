package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.structures.Position;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

class OrderedCollectionsTest {
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);

  @Test
  void aPositionLiesBetweenItsNeighbours() {
    RandomGenerator random = Seeds.generator(Seeds.next("positions"));
    List<Position> positions = new ArrayList<>();
    for (int i = 1; i <= Depth.of(3_000, 1_000); i++) {
      int index = random.nextInt(3) == 0 ? positions.size() : random.nextInt(positions.size() + 1);
      Position left = index == 0 ? null : positions.get(index - 1);
      Position right = index == positions.size() ? null : positions.get(index);
      Position between = Position.between(left, right, random.nextInt(3), i);
      assertThat(left == null || left.compareTo(between) < 0).isTrue();
      assertThat(right == null || between.compareTo(right) < 0).isTrue();
      positions.add(index, between);
    }
  }

  @Test
  void aListWrittenInOrderHasShortPositions() {
    List<Position> positions = new ArrayList<>();
    for (int i = 1; i <= 10_000; i++) {
      positions.add(Position.between(i == 1 ? null : positions.getLast(), null, 1, i));
    }

    assertThat(positions.getLast().levels()).isEqualTo(1);
  }

  @Test
  void positionsStayShortWhateverTheHistory() {
    int count = Depth.of(100_000, 5_000);
    Position last = null;
    Position first = null;
    for (int i = 1; i <= count; i++) {
      last = Position.between(last, null, i % 2, i);
      first = Position.between(null, first, i % 2, i);
      assertThat(last.levels()).isEqualTo(1);
      assertThat(first.levels()).isEqualTo(1);
    }
    Position left = Position.between(null, null, 1, 1);
    Position right = Position.between(left, null, 1, 2);
    Position typed = left;
    Position typedBackwards = right;
    for (int i = 3; i <= count; i++) {
      typed = Position.between(typed, right, i % 2, i);
      typedBackwards = Position.between(left, typedBackwards, i % 2, i);
      assertThat(typed.levels()).isLessThanOrEqualTo(3);
      assertThat(typedBackwards.levels()).isLessThanOrEqualTo(3);
    }
    assertThat(Position.CODEC.toBytes(typed).length).isLessThan(70);
  }

  @Test
  void aGapThatIsNarrowedForEverIsRefusedAtLastAndNothingJams() {
    int levelsBefore = Depth.of(0, Position.LEVELS_MAX - 100);
    Position[] gap = {
      new Position(path(levelsBefore, 1), 0), new Position(path(levelsBefore, 1L << 60), 0)
    };
    Position between = gap[1];
    int made = 0;
    for (int i = 3; i < 100_000 && between != null; i++) {
      between = Position.between(gap[0], gap[1], i % 2, i);
      if (between != null) {
        assertThat(between).isGreaterThan(gap[0]).isLessThan(gap[1]);
        gap[i / 2 % 2] = between;
        made++;
      }
    }
    assertThat(between).isNull();
    assertThat(made).isGreaterThan(Depth.of(10_000, 150));
    ReplicatedList<String> list =
        new Replicas(1).get(0).list("list", SetOptions.of(Codecs.string()));
    list.put(gap[0], "left");
    list.put(gap[1], "right");
    assertThatThrownBy(() -> list.add(1, "between")).isInstanceOf(WriteRefusedException.class);
    list.add(0, "first");
    list.add("last");
    assertThat(list).containsExactly("first", "left", "right", "last");
    assertThat(Position.between(gap[1], null, 1, 100_000).levels()).isEqualTo(1);
  }

  /** A path of the writer 1 that others share but for its last number. */
  private static long[] path(int levelsBefore, long number) {
    long[] path = new long[(levelsBefore + 1) * 3];
    for (int i = 1; i < path.length; i += 3) {
      path[i] = 1;
    }
    path[path.length - 3] = number;
    return path;
  }

  @Test
  void appendingFromTwoMembersInTurnCostsTheSameForEver() {
    Replicas replicas = new Replicas(2);
    ReplicatedList<String> a = replicas.get(0).list("list", LOCAL);
    ReplicatedList<String> b = replicas.get(1).list("list", LOCAL);
    long[] bytes = new long[2];
    int half = Depth.of(500, 200);
    for (int i = 0; i < 2 * half; i++) {
      if (i % half == 100) {
        bytes[i / half] = -replicas.group(0).counters().bytesSent();
      }
      (i % 2 == 0 ? a : b).add("e" + (i % 10));
      replicas.simulation.runFor(2_000_000);
      if (i % half == half - 1) {
        bytes[i / half] += replicas.group(0).counters().bytesSent();
      }
    }
    replicas.converge();

    assertThat(a).hasSize(2 * half).isEqualTo(b);
    assertThat((double) bytes[1]).isLessThan(1.5 * bytes[0]);
  }

  @Test
  void removalsHitTheElementsThatWereShown() {
    Replicas replicas = new Replicas(1);
    ReplicatedList<String> list = replicas.get(0).list("list", LOCAL);
    list.addAll(List.of("a", "b", "c", "d"));
    boolean removed =
        list.removeIf(element -> {
          if (element.equals("b")) {
            list.add(0, "new first"); // as if it came from another replica
          }
          return element.equals("c");
        });

    assertThat(removed).isTrue();
    assertThat(list).containsExactly("new first", "a", "b", "d");
    list.forEach(list::remove);
    assertThat(list).isEmpty();
  }

  @Test
  void runsInsertedAtOnePlaceAreNotInterleaved() {
    Replicas replicas = new Replicas(2);
    ReplicatedList<String> a = replicas.get(0).list("list", LOCAL);
    ReplicatedList<String> b = replicas.get(1).list("list", LOCAL);
    a.addAll(List.of("first", "last"));
    replicas.converge();
    for (String element : List.of("a1", "a2", "a3")) {
      a.add(a.size() - 1, element);
    }
    for (String element : List.of("b3", "b2", "b1")) {
      b.add(1, element);
    }
    replicas.converge();

    assertThat(a).isEqualTo(b);
    assertThat(a)
        .isIn(
            List.of("first", "a1", "a2", "a3", "b1", "b2", "b3", "last"),
            List.of("first", "b1", "b2", "b3", "a1", "a2", "a3", "last"));
  }

  @Test
  void listsThatAreEditedEverywhereAgree() {
    RandomGenerator random = Seeds.generator(Seeds.next("lists"));
    Replicas replicas = new Replicas(3);
    List<ReplicatedList<String>> lists =
        replicas.all.stream().map(replica -> replica.list("list", LOCAL)).toList();
    for (int i = 0; i < Depth.of(600, 200); i++) {
      ReplicatedList<String> list = lists.get(random.nextInt(lists.size()));
      if (random.nextInt(3) == 0 && !list.isEmpty()) {
        list.remove(random.nextInt(list.size()));
      } else {
        list.add(random.nextInt(list.size() + 1), "e" + i);
      }
      if (random.nextInt(5) == 0) {
        replicas.simulation.runFor(random.nextInt(100_000));
      }
    }
    replicas.converge();

    assertThat(lists.get(1)).isEqualTo(lists.get(0)).isNotEmpty();
    assertThat(lists.get(2)).isEqualTo(lists.get(0));
  }

  @Test
  void queuesAgreeAndLoseNothing() {
    Replicas replicas = new Replicas(3);
    List<ReplicatedQueue<String>> queues =
        replicas.all.stream().map(replica -> replica.queue("queue", LOCAL)).toList();
    for (int i = 0; i < 30; i++) {
      queues.get(i % 3).add("e" + i);
    }
    replicas.converge();
    List<String> order = List.copyOf(queues.get(0));
    assertThat(List.copyOf(queues.get(1))).isEqualTo(order).hasSize(30);

    replicas.simulation.runFor(2_000_000_000L); // until the first member has heard of all others
    String first = replicas.group(0).view().members().getFirst().name();
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      taken.add(queues.get("abc".indexOf(first)).poll()); // that one has nobody to ask
    }
    replicas.converge();
    assertThat(taken).isEqualTo(order.subList(0, 10));
    assertThat(List.copyOf(queues.get(2))).isEqualTo(order.subList(10, 30));
  }

  @Test
  void additionsToACounterAllCount() {
    Replicas replicas = new Replicas(3);
    List<ReplicatedCounters<String>> counters =
        replicas.all.stream().map(replica -> replica.counters("counters", LOCAL)).toList();
    for (int i = 0; i < 300; i++) {
      counters.get(i % 3).add("k" + i % 2, i % 3 + 1);
    }
    replicas.converge();

    for (ReplicatedCounters<String> counter : counters) {
      assertThat(counter.get("k0") + counter.get("k1")).isEqualTo(600);
      assertThat(counter.toMap().keySet()).isEqualTo(Set.of("k0", "k1"));
    }
  }
}
