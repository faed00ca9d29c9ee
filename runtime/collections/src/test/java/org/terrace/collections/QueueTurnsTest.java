package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.structures.Ticket;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.testing.Seeds;
import org.terrace.testing.simulation.Simulation;

/** A queue's element goes to one taker at a time while the members agree, and is never lost. */
class QueueTurnsTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final long MILLI = SimulatedCluster.MILLI;
  private static final int WRITES_WAITING_MAX = 1 << 17;
  private static final SetOptions<String> LOCAL =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);

  /** Members of a queue, and who took what. */
  private static final class Takers {
    final Replicas replicas;
    final List<ReplicatedQueue<String>> queues;
    final List<List<Ticket>> asked = new ArrayList<>();
    final TreeMap<String, List<Integer>> taken = new TreeMap<>();

    Takers(int members) {
      replicas = new Replicas(members);
      queues = replicas.all.stream().map(replica -> replica.queue("queue", LOCAL)).toList();
      queues.forEach(queue -> asked.add(new ArrayList<>()));
    }

    /** Polls as a caller would, but for the waiting. */
    void poll(int member) {
      ReplicatedQueue<String> queue = queues.get(member);
      QueueTurns.Taken<String> now = replicas.get(member).replica().within(queue::takeNow);
      if (now != null) {
        note(member, now.element());
      } else {
        asked.get(member).add(replicas.get(member).replica().within(queue.turns()::ask));
      }
    }

    /** Takes what was given by now. */
    void collect(int member) {
      asked
          .get(member)
          .removeIf(turn -> {
            QueueTurns<String> turns = queues.get(member).turns();
            QueueTurns.Taken<String> result =
                replicas.get(member).replica().within(() -> turns.result(turn));
            if (result != null) {
              note(member, result.element());
            }
            return result != null;
          });
    }

    private void note(int member, @Nullable String element) {
      if (element != null) {
        taken.computeIfAbsent(element, absent -> new ArrayList<>()).add(member);
      }
    }

    void run(RandomGenerator random, int steps, List<Integer> members) {
      for (int i = 0; i < steps; i++) {
        int member = members.get(random.nextInt(members.size()));
        poll(member);
        if (random.nextInt(3) == 0) {
          poll(members.get(random.nextInt(members.size())));
        }
        replicas.simulation.runFor(random.nextLong(2 * MILLI));
        members.forEach(this::collect);
      }
      replicas.simulation.runFor(2 * SECOND);
      members.forEach(this::collect);
    }
  }

  @Test
  void membersThatAgreeTakeEachElementOnce() {
    RandomGenerator random = Seeds.generator(Seeds.next("once"));
    Takers takers = new Takers(3);
    takers.replicas.simulation.runFor(2 * SECOND);
    for (int i = 0; i < 300; i++) {
      takers.queues.get(i % 3).add("e" + i);
    }
    takers.replicas.converge();
    takers.run(random, 600, List.of(0, 1, 2));

    assertThat(takers.taken).hasSize(300);
    assertThat(takers.taken.values()).allSatisfy(by -> assertThat(by).hasSize(1));
    assertThat(takers.taken.values().stream().map(List::getFirst).distinct()).hasSize(3);
    takers.replicas.converge();
    assertThat(takers.replicas.get(0).metrics().entries()).as("turns left").isZero();
  }

  @Test
  void whatWasGivenToATakerThatDiesIsGivenToAnother() {
    for (String victim : List.of("a", "b")) {
      RandomGenerator random = Seeds.generator(Seeds.next("dies " + victim));
      Takers takers = new Takers(3);
      takers.replicas.simulation.runFor(2 * SECOND);
      for (int i = 0; i < 50; i++) {
        takers.queues.get(2).add("e" + i);
      }
      takers.replicas.converge();
      int dying = takers.replicas.all.indexOf(takers.replicas.get(victim.equals("a") ? 0 : 1));
      for (int i = 0; i < 10; i++) {
        takers.poll(1); // given, and never fetched by the one that dies
        takers.poll(2);
      }
      takers.replicas.simulation.runFor(random.nextLong(5 * MILLI));
      takers.replicas.simulation.node(victim).crash();
      takers.replicas.simulation.runFor(5 * SECOND);
      List<Integer> survivors = dying == 0 ? List.of(1, 2) : List.of(0, 2);
      takers.run(random, 200, survivors);

      assertThat(takers.taken).as(victim + " died").hasSize(50);
      assertThat(takers.taken.values()).allSatisfy(by -> assertThat(by).hasSize(1));
    }
  }

  @Test
  void whoWasForgottenWhileItStoodStillGivesNothingOut() {
    Takers takers = new Takers(3);
    Simulation simulation = takers.replicas.simulation;
    simulation.runFor(2 * SECOND);
    for (int i = 0; i < 10; i++) {
      takers.queues.get(i % 3).add("e" + i);
    }
    takers.replicas.converge();
    int first = takers.replicas.first();
    String name = takers.replicas.group(first).self().name();
    List<Integer> others = IntStream.range(0, 3).filter(i -> i != first).boxed().toList();
    simulation.node(name).pause();
    simulation.runFor(5 * SECOND);
    takers.replicas.get(others.getFirst()).forget(name, Duration.ZERO);
    simulation.runFor(20 * SECOND);
    simulation.node(name).resume();
    simulation.runFor(5 * SECOND);
    for (int other : others) {
      assertThat(takers.replicas.group(other).view().members().getFirst().name()).isEqualTo(name);
    }
    takers.run(Seeds.generator(Seeds.next("forgotten")), 30, others);

    assertThat(takers.taken).hasSize(10);
    assertThat(takers.taken.values()).allSatisfy(by -> assertThat(by).hasSize(1));
  }

  @Test
  void onTheSidesOfACutElementsAreTakenTwiceAtMostAndNeverLost() {
    for (long seed : Seeds.histories("cut", 10)) {
      RandomGenerator random = Seeds.generator(seed);
      Takers takers = new Takers(3);
      takers.replicas.simulation.runFor(2 * SECOND);
      for (int i = 0; i < 60; i++) {
        takers.queues.get(i % 3).add("e" + i);
      }
      takers.replicas.converge();
      takers.poll(1);
      takers.poll(2);
      takers.replicas.simulation.partition(Set.of(random.nextBoolean() ? "a" : "b"));
      takers.run(random, 30, List.of(0, 1, 2));
      takers.replicas.simulation.runFor(3 * SECOND);
      takers.run(random, 10, List.of(0, 1, 2));
      takers.replicas.simulation.heal();
      takers.run(random, 200, List.of(0, 1, 2));
      takers.replicas.simulation.runFor(3 * SECOND);
      takers.run(random, 100, List.of(0, 1, 2));

      assertThat(takers.taken).as("seed %d", seed).hasSize(60);
      assertThat(takers.taken.values())
          .as("seed %d", seed)
          .allSatisfy(by -> assertThat(by).hasSizeBetween(1, 2));
    }
  }

  @Test
  void aPollThatNobodyAnswersTakesNothing() {
    Takers takers = new Takers(2);
    takers.replicas.simulation.runFor(2 * SECOND);
    String first = takers.replicas.group(0).view().members().getFirst().name();
    int other = 1 - "ab".indexOf(first);
    takers.queues.get(other).add("e");
    takers.replicas.converge();
    takers.replicas.simulation.partition(Set.of("a"));
    QueueTurns<String> turns = takers.queues.get(other).turns();
    Ticket turn = takers.replicas.get(other).replica().within(turns::ask);
    takers.replicas.simulation.runFor(100 * MILLI);
    assertThatThrownBy(() -> turns.await(turn, 0))
        .isInstanceOf(WriteRefusedException.class)
        .hasMessageContaining("'queue'");
    assertThat(takers.queues.get(other)).containsExactly("e");
    takers.replicas.simulation.heal();
    takers.replicas.simulation.runFor(3 * SECOND);
    takers.run(Seeds.generator(Seeds.next("after")), 10, List.of(other));

    assertThat(takers.taken).containsOnlyKeys("e");
  }

  @Test
  void aPollThatIsRefusedLeavesNoTurnThatSomethingIsGivenTo() {
    Takers takers = new Takers(2);
    takers.replicas.simulation.runFor(2 * SECOND);
    int other = 1 - takers.replicas.first();
    takers.queues.get(other).add("e");
    takers.replicas.converge();
    var full =
        takers
            .replicas
            .get(other)
            .map("full", MapOptions.of(Codecs.string(), Codecs.string()))
            .withLevel(WriteLevel.allOf(2));
    for (int i = 0; i < WRITES_WAITING_MAX; i++) {
      full.putAsync("k", "v"); // time stands still, so that none is acknowledged
    }
    assertThatThrownBy(() -> takers.poll(other)).isInstanceOf(WriteRefusedException.class);
    takers.replicas.simulation.runFor(5 * SECOND);
    takers.run(Seeds.generator(Seeds.next("refused")), 10, List.of(other));

    assertThat(takers.taken).containsOnlyKeys("e");
  }

  @Test
  void whoeverCannotReadAnElementGivesItOutAllTheSame() {
    Replicas replicas = new Replicas(2);
    replicas.simulation.runFor(2 * SECOND);
    int giver = replicas.first();
    Codec<String> older =
        Codecs.immutable(
            (text, out) -> Codecs.string().encode(text, out),
            in -> {
              String text = Codecs.string().decode(in);
              if (text.startsWith("new ")) {
                throw new MalformedDataException("an element of a version to come: " + text);
              }
              return text;
            });
    ReplicatedQueue<String> atGiver =
        replicas.get(giver).queue("queue", SetOptions.of(older).withLevel(WriteLevel.LOCAL));
    ReplicatedQueue<String> queue = replicas.get(1 - giver).queue("queue", LOCAL);
    queue.add("new e");
    queue.add("f");
    replicas.converge();
    assertThatThrownBy(atGiver::poll).isInstanceOf(MalformedDataException.class);
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Ticket turn = replicas.get(1 - giver).replica().within(queue.turns()::ask);
      replicas.simulation.runFor(SECOND);
      taken.add(queue.turns().await(turn, 0).element());
    }

    assertThat(taken).containsExactly("new e", "f");
    assertThat(replicas.get(giver).metrics().malformedMessages()).isZero();
  }

  @Test
  void whoeverLeavesGivesNothingOutAndTheNextMemberDoes() {
    for (long seed : Seeds.histories("leaves", 5)) {
      RandomGenerator random = Seeds.generator(seed);
      Takers takers = new Takers(3);
      takers.replicas.simulation.runFor(2 * SECOND);
      for (int i = 0; i < 100; i++) {
        takers.queues.get(i % 3).add("e" + i);
      }
      takers.replicas.converge();
      int first = takers.replicas.first();
      List<Integer> others = IntStream.range(0, 3).filter(i -> i != first).boxed().toList();
      takers.run(random, 10, others);
      for (int i = 0; i < 10; i++) {
        takers.poll(others.get(i % 2));
      }
      takers.replicas.simulation.runFor(random.nextLong(2 * MILLI));
      takers.replicas.get(first).replica().leaveForGood(false); // and does not close its group
      takers.run(random, random.nextInt(20), others);
      takers.replicas.simulation.runFor(2 * SECOND);
      takers.run(random, 150, others);
      takers.run(random, 50, others);

      assertThat(takers.taken).as("seed %d", seed).hasSize(100);
      assertThat(takers.taken.values())
          .as("seed %d", seed)
          .allSatisfy(by -> assertThat(by).hasSize(1));
    }
  }
}
