package org.terrace.collections;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** The cost of a list, bounded by what is in it, and its order, which survives new places. */
class RenumberingTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);

  @Test
  void appendingManyFromTwoMembersInTurnCostsTheSameForEver() {
    Replicas replicas = new Replicas(2);
    ReplicatedList<String> a = replicas.get(0).list("list", LOCAL);
    ReplicatedList<String> b = replicas.get(1).list("list", LOCAL);
    int blocks = 10;
    int inBlock = Depth.of(10_000, 1_000);
    long[] bytes = new long[blocks];
    long[] messages = new long[blocks];
    for (int block = 0; block < blocks; block++) {
      bytes[block] = -replicas.group(0).counters().bytesSent();
      messages[block] = -replicas.group(0).counters().messagesSent();
      for (int i = 0; i < inBlock; i++) {
        (i % 2 == 0 ? a : b).add("e" + (i % 10));
        replicas.simulation.runFor(MILLI);
      }
      bytes[block] += replicas.group(0).counters().bytesSent();
      messages[block] += replicas.group(0).counters().messagesSent();
    }
    replicas.converge();

    assertThat(a).hasSize(blocks * inBlock).isEqualTo(b);
    assertThat((double) bytes[blocks - 1]).isBetween(0.9 * bytes[1], 1.1 * bytes[1]);
    assertThat((double) messages[blocks - 1]).isBetween(0.9 * messages[1], 1.1 * messages[1]);
    assertThat(longestKeyBytes(replicas.get(0))).isLessThan(40);
  }

  @Test
  void aGapThatIsNarrowedForEverCostsTheSameForEver() {
    Replicas replicas = new Replicas(3);
    List<ReplicatedList<String>> lists =
        replicas.all.stream().map(replica -> replica.list("list", LOCAL)).toList();
    List<String> model = new ArrayList<>(List.of("first", "last"));
    lists.getFirst().addAll(model);
    replicas.converge();
    int index = 1;
    long longest = 0;
    for (int i = 0; i < Depth.of(20_000, 3_000); i++) {
      String element = "e" + i;
      model.add(index, element);
      lists.get(i % 3).add(index, element);
      replicas.simulation.runFor(20 * MILLI);
      if (model.size() > 20) { // the gap is as narrow as before, what made it so has gone
        int gone = i % 2 == 0 ? 0 : model.size() - 1;
        model.remove(gone);
        lists.get(i % 3).remove(gone);
        replicas.simulation.runFor(20 * MILLI);
        index -= gone == 0 ? 1 : 0;
      }
      index = Math.clamp(index + (i / 2 % 2 == 0 ? 1 : 0), 1, model.size() - 1);
      longest = Math.max(longest, i % 1_000 == 999 ? longestKeyBytes(replicas.get(0)) : 0);
    }
    replicas.converge();

    for (ReplicatedList<String> list : lists) {
      assertThat(list).isEqualTo(model);
    }
    assertThat(longest).as("bytes of a key").isLessThan(600);
    replicas.simulation.runFor(5 * SECOND);
    assertThat(replicas.get(0).metrics().entries()).isLessThan(2 * 20 + 2);
  }

  @Test
  void elementsStayBetweenTheirNeighboursWhileTheListIsRenumbered() {
    for (long seed : Seeds.histories("elementsStayBetweenTheirNeighbours", Depth.of(5, 2))) {
      RandomGenerator random = Seeds.generator(seed);
      Replicas replicas = new Replicas(3);
      List<ReplicatedList<String>> lists =
          replicas.all.stream().map(replica -> replica.list("list", LOCAL)).toList();
      lists.getFirst().addAll(List.of("first", "last"));
      replicas.converge();
      Map<String, String> before = new TreeMap<>();
      Map<String, String> after = new TreeMap<>();
      for (int i = 0; i < 1_000; i++) {
        ReplicatedList<String> list = lists.get(random.nextInt(3));
        int newest = indexOfNewest(list) + (i / 2 % 2);
        int somewhere = random.nextInt(list.size());
        int index = Math.clamp(random.nextInt(8) == 0 ? somewhere : newest, 1, list.size() - 1);
        String element = "e" + i;
        before.put(element, list.get(index - 1));
        after.put(element, list.get(index));
        list.add(index, element);
        if (random.nextInt(4) == 0 && list.size() > 30) {
          list.remove(1 + random.nextInt(list.size() - 2));
        }
        if (random.nextInt(20) == 0) {
          replicas.simulation.partition(Set.of(random.nextBoolean() ? "a" : "c"));
        } else if (random.nextInt(10) == 0) {
          replicas.simulation.heal();
        }
        replicas.simulation.runFor(random.nextLong(40 * MILLI));
      }
      replicas.simulation.heal();
      replicas.simulation.runFor(3 * SECOND);
      replicas.converge();

      List<String> all = List.copyOf(lists.getFirst());
      assertThat(lists.get(1)).as("seed %d", seed).isEqualTo(all);
      assertThat(lists.get(2)).as("seed %d", seed).isEqualTo(all);
      for (String element : all) {
        int at = all.indexOf(element);
        assertThat(all.indexOf(before.getOrDefault(element, element)))
            .as("seed %d: what %s was put after", seed, element)
            .isLessThanOrEqualTo(at);
        int next = all.indexOf(after.getOrDefault(element, element));
        assertThat(next < 0 || next >= at)
            .as("seed %d: %s before what it was put before", seed, element)
            .isTrue();
      }
    }
  }

  @Test
  void anElementThatIsSetWhileItIsRemovedComesBackToItsPlace() {
    for (long seed : Seeds.histories("anElementThatIsSetComesBack", Depth.of(3, 1))) {
      RandomGenerator random = Seeds.generator(seed);
      Replicas replicas = new Replicas(3);
      List<ReplicatedList<String>> lists =
          replicas.all.stream().map(replica -> replica.list("list", LOCAL)).toList();
      lists.getFirst().addAll(List.of("first", "last"));
      replicas.converge();
      for (int i = 0; i < 600; i++) { // into one gap that gets ever narrower
        ReplicatedList<String> list = lists.get(i % 3);
        list.add(1 + i / 2, "e" + i);
        replicas.simulation.runFor(20 * MILLI);
      }
      Map<String, Integer> places = new TreeMap<>();
      lists.getFirst().forEach(element -> places.put(element, places.size()));
      for (int i = 0; i < 60; i++) {
        String element = "e" + random.nextInt(600);
        replicas.simulation.partition(Set.of(random.nextBoolean() ? "a" : "c"));
        lists.get(random.nextInt(3)).remove(element);
        replicas.simulation.runFor(random.nextLong(200 * MILLI));
        ReplicatedList<String> other = lists.get(random.nextInt(3));
        int index = other.indexOf(element);
        if (index > 0) {
          other.set(index, element);
        }
        replicas.simulation.heal();
        replicas.simulation.runFor(random.nextLong(400 * MILLI));
        for (ReplicatedList<String> list : lists) {
          assertThat(list).as("seed %d", seed).isSortedAccordingTo(comparing(places::get));
        }
      }
    }
  }

  @Test
  void aReplicaThatLacksPlacesByWhichOthersInsertedInsertsNothing() {
    Replicas replicas = new Replicas(1);
    ReplicatedList<String> list = replicas.get(0).list("list", LOCAL);
    list.add("mine");
    ReplicaState state = replicas.get(0).state();
    StateEntry mine = state.liveEntries().iterator().next().toStateEntry();
    Position mineAt = Position.CODEC.decode(new Decoder(mine.key()));
    Position theirs = requireNonNull(Position.between(mineAt, null, 7, 1)).inEpoch(3);
    byte[] key = Position.CODEC.toBytes(theirs);
    byte[] value = Codecs.string().toBytes("theirs");
    Delta put = new Delta(mine.store(), key, List.of(), 1, Version.NEVER, value, Delta.Order.ANY);
    HybridClock clock = replicas.get(0).replica().writes().clock();
    state.apply(7, 1, put.encode(new Encoder()), clock, ChangeCause.REMOTE);

    assertThat(list).containsExactly("mine", "theirs");
    assertThatThrownBy(() -> list.add("more"))
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("awaitCaughtUp");
    assertThatThrownBy(() -> list.addFirst("more")).isInstanceOf(WriteRefusedException.class);
    list.remove("theirs");
    list.add("more");
    assertThat(list).containsExactly("mine", "more");
  }

  private static int indexOfNewest(List<String> list) {
    int newest = 0;
    for (int i = 1; i < list.size() - 1; i++) {
      newest = newest == 0 || number(list.get(i)) > number(list.get(newest)) ? i : newest;
    }
    return newest;
  }

  private static int number(String element) {
    return Integer.parseInt(element.substring(1));
  }

  private static long longestKeyBytes(ReplicatedCollections replica) {
    long longest = 0;
    for (LiveEntry<?> live : replica.state().liveEntries()) {
      longest = Math.max(longest, live.toStateEntry().key().length);
    }
    return longest;
  }
}
