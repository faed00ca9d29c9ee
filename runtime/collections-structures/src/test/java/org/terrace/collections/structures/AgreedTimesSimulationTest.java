package org.terrace.collections.structures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Histories of several members whose clocks are wrong and are put right, who come, go and begin
 * anew, one or two at a time and with views that lack somebody at first, against two promises:
 * those that have heard each other show the same time, and no entry ends before nine tenths of its
 * life, whoever stamped it and wherever it is judged. A member that may remove does so in every
 * round, its first ones included, and what it removes is gone everywhere.
 */
class AgreedTimesSimulationTest {
  private static final int HISTORIES = Depth.of(50, 10);
  private static final long SECOND = 1_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long ROUND_MILLIS = 100;
  private static final long TRANSIT_MAX_MILLIS = 20;
  private static final long BEGAN = 1_790_000_000_000L;

  /** The rounds in which all that are there have long heard each other. */
  private static final int QUIET_ROUNDS = 100;

  /** The time for which those that knew one that has gone go by its clock, and others do not. */
  private static final long REMEMBERED_MILLIS = 62 * SECOND;

  /** Twice the uncertainty of a message's way, and what a slewing member goes in a round of it. */
  private static final long APART_MAX_MILLIS = 5 * TRANSIT_MAX_MILLIS;

  /** The same of an entry: of the time that stamps it, and of that by which it is judged. */
  private static final long UNSURE_MILLIS = 2 * APART_MAX_MILLIS;

  /** The longest time for which a member that begins anew and another do not see each other. */
  private static final int UNSEEN_MAX_ROUNDS = 25;

  private record Entry(long expiresMillis, long judgedFromMillis) {}

  /** One machine: its monotonic clock began with it. */
  private final class Node {
    final long replica;
    final long bootMillis = random.nextLong(HOUR);
    long wrongMillis;
    boolean isLying;
    boolean isUp = true;
    AgreedTime time;
    final Map<Node, Long> unseenUntil = new HashMap<>();

    Node(long replica, long wrongMillis) {
      this.replica = replica;
      this.wrongMillis = wrongMillis;
      this.time = new AgreedTime(now());
    }

    StepTime now() {
      return new StepTime(
          (bootMillis + millis) * 1_000_000, (BEGAN + millis + wrongMillis) * 1_000_000);
    }

    long agreedMillis() {
      return time.millisAt(now().elapsedNanos());
    }

    boolean sees(Node other) {
      return other != this && other.isUp && unseenUntil.getOrDefault(other, 0L) <= millis;
    }

    List<Node> seen() {
      return nodes.stream().filter(this::sees).toList();
    }

    void settle() {
      time.settle(now(), id -> sees(nodes.get((int) id - 1)), seen().size());
    }

    /** Begins anew; some do not see it at first, and it does not see them. */
    void renew() {
      isUp = true;
      time = new AgreedTime(now());
      for (Node other : nodes) {
        long unseen = random.nextBoolean() ? random.nextInt(UNSEEN_MAX_ROUNDS) * ROUND_MILLIS : 0;
        unseenUntil.put(other, millis + unseen);
        other.unseenUntil.put(this, millis + unseen);
      }
    }

    boolean removes() {
      return time.isAgreed(seen().size()) && time.mayEnd();
    }

    ClocksTold told() {
      return isLying
          ? new ClocksTold(
              BEGAN + millis + lie, ClocksTold.LASTING, BEGAN + millis + lie, BEGAN + millis + lie)
          : time.told(now());
    }
  }

  private RandomGenerator random;
  private List<Node> nodes;
  private List<Entry> entries;
  private long millis;
  private long lie;
  private int quietRounds;
  private long goneMillis;
  private long judged;

  private List<Node> honest() {
    return nodes.stream().filter(node -> node.isUp && !node.isLying).toList();
  }

  private void begin(long seed) {
    random = Seeds.generator(seed);
    nodes = new ArrayList<>();
    entries = new ArrayList<>();
    millis = 0;
    quietRounds = 0;
    goneMillis = -REMEMBERED_MILLIS;
    lie = random.nextLong(-10 * HOUR, 10 * HOUR);
  }

  /** A round of gossip of each member, with one other, both ways. */
  private void round(List<String> violations) {
    millis += ROUND_MILLIS;
    quietRounds++;
    List<Node> all = nodes.stream().filter(node -> node.isUp).toList();
    for (Node node : all) {
      node.settle();
      List<Node> others = node.seen();
      if (!others.isEmpty()) {
        Node other = others.get(random.nextInt(others.size()));
        tell(node, other);
        tell(other, node);
      }
    }
    remove(violations);
    if (quietRounds > QUIET_ROUNDS && millis - goneMillis > REMEMBERED_MILLIS) {
      judge(violations);
    }
  }

  /** Lets a member hear what another told up to the longest way before. */
  private void tell(Node from, Node to) {
    long wayMillis = random.nextLong(TRANSIT_MAX_MILLIS);
    millis -= wayMillis;
    ClocksTold told = from.told();
    millis += wayMillis;
    if (random.nextInt(4) > 0) {
      to.time.observe(from.replica, told, to.now());
      to.settle();
    }
  }

  /** Removes what is over at any member that may remove. */
  private void remove(List<String> violations) {
    List<Node> removing = honest().stream().filter(Node::removes).toList();
    long most = removing.stream().mapToLong(Node::agreedMillis).max().orElse(Long.MIN_VALUE);
    boolean isPromised = millis - goneMillis > REMEMBERED_MILLIS;
    for (Entry entry : entries) {
      if (isPromised && entry.judgedFromMillis <= millis) {
        judged++;
      } else if (isPromised && most >= entry.expiresMillis + UNSURE_MILLIS) {
        violations.add("at %d ms: over by %d ms".formatted(millis, most - entry.expiresMillis));
      }
    }
    entries.removeIf(entry -> entry.judgedFromMillis <= millis || most >= entry.expiresMillis);
  }

  private void judge(List<String> violations) {
    List<Node> all = honest();
    long least = all.stream().mapToLong(Node::agreedMillis).min().orElseThrow();
    long most = all.stream().mapToLong(Node::agreedMillis).max().orElseThrow();
    if (most - least > APART_MAX_MILLIS) {
      violations.add("at " + millis + " ms: apart by " + (most - least) + " ms");
    }
    if (quietRounds % 10 == 0) {
      long life = SECOND * (1 + random.nextInt(60));
      long agreed = all.get(random.nextInt(all.size())).agreedMillis();
      entries.add(new Entry(agreed + life, millis + life * 9 / 10));
    }
  }

  private long wrong() {
    return random.nextInt(3) == 0 ? 0 : random.nextLong(-HOUR, HOUR);
  }

  /** One thing that happens; at least one member that is settled stays. */
  private void happen() {
    Node node = nodes.get(random.nextInt(nodes.size()));
    quietRounds = 0;
    switch (random.nextInt(6)) {
      case 0 -> node.wrongMillis = 0;
      case 1 -> node.wrongMillis = wrong();
      case 2 -> {
        if (nodes.size() < 6) {
          Node added = new Node(nodes.size() + 1, wrong());
          nodes.add(added);
          added.renew();
        }
      }
      case 3 -> {
        if (node.isUp && !node.isLying) {
          node.wrongMillis = random.nextBoolean() ? node.wrongMillis : 0;
          if (honest().size() > 1) {
            node.renew();
          }
        }
      }
      case 4 -> {
        List<Node> all = new ArrayList<>(honest());
        for (int i = 0; i < 2 && all.size() > 1; i++) {
          all.remove(random.nextInt(all.size())).renew();
        }
      }
      default -> {
        if (!node.isUp) {
          node.renew();
        } else if (honest().size() > 2) {
          node.isUp = false;
          goneMillis = millis;
        }
      }
    }
  }

  private List<String> history(long seed) {
    begin(seed);
    int members = 2 + random.nextInt(3);
    for (int i = 0; i < members; i++) {
      nodes.add(new Node(i + 1, wrong()));
    }
    List<String> violations = new ArrayList<>();
    run(violations, 2 * QUIET_ROUNDS);
    for (int i = 0; i < 12 && violations.isEmpty(); i++) {
      happen();
      run(violations, QUIET_ROUNDS + random.nextInt(random.nextInt(10) == 0 ? 3_000 : 300));
    }
    return violations;
  }

  private void run(List<String> violations, int rounds) {
    for (int i = 0; i < rounds && violations.isEmpty(); i++) {
      round(violations);
    }
  }

  /** Three or four members with right clocks, one of which tells anything; some begin anew. */
  private List<String> historyWithALiar(long seed) {
    begin(seed);
    int members = 3 + random.nextInt(2);
    for (int i = 0; i < members; i++) {
      nodes.add(new Node(i + 1, 0));
    }
    List<String> violations = new ArrayList<>();
    run(violations, 2 * QUIET_ROUNDS);
    nodes.getFirst().isLying = true;
    nodes.getFirst().wrongMillis = random.nextLong(-HOUR, HOUR);
    for (int i = 0; i < 6 && violations.isEmpty(); i++) {
      quietRounds = 0;
      Node anew = nodes.get(1 + random.nextInt(members - 1));
      anew.time = new AgreedTime(anew.now());
      run(violations, QUIET_ROUNDS + random.nextInt(100));
      for (Node node : honest()) {
        long error = node.agreedMillis() - BEGAN - millis;
        if (Math.abs(error) > APART_MAX_MILLIS) {
          violations.add("at %d ms: wrong by %d ms".formatted(millis, error));
        }
      }
    }
    return violations;
  }

  @Test
  void oneMemberOfThreeOrMoreThatTellsAnythingMovesNobody() {
    for (long seed : Seeds.histories("agreed times with a liar", HISTORIES)) {
      assertThat(historyWithALiar(seed)).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void membersThatHearEachOtherShowTheSameTimeAndEndNothingEarly() {
    for (long seed : Seeds.histories("agreed times", HISTORIES)) {
      assertThat(history(seed)).as("seed %d", seed).isEmpty();
    }
    assertThat(judged).isGreaterThan(HISTORIES);
  }
}
