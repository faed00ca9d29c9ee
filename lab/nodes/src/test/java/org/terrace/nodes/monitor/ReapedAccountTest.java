package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.monitor.ReapedAccount.Reading;
import org.terrace.testing.Seeds;

class ReapedAccountTest {
  private static final long MEGABYTE = 1_000_000;
  private static final int HISTORIES = 200;
  private static final int STEPS = 300;
  private static final int PROCESSES_MAX = 12;

  @Test
  void aReapedChildCountsOnce() {
    ReapedAccount account = new ReapedAccount();
    account.next(List.of(reading(1, 0, 10), reading(2, 1, 800)), ReapedAccountTest::reaped);

    // The parent did nothing: it has what its child ever wrote, 5 of which nobody has seen yet.
    long bytes = account.next(List.of(reading(1, 0, 10 + 805)), ReapedAccountTest::reaped);

    assertThat(bytes).isEqualTo(5 * MEGABYTE);
  }

  @Test
  void aChildThatEndsBetweenItsParentsReadingAndItsOwnIsNoSpike() {
    ReapedAccount account = new ReapedAccount();
    account.next(List.of(reading(1, 0, 10), reading(2, 1, 800)), ReapedAccountTest::reaped);

    assertThat(account.next(List.of(reading(1, 0, 10)), ReapedAccountTest::reaped)).isZero();
    assertThat(account.next(List.of(reading(1, 0, 10 + 803)), ReapedAccountTest::reaped))
        .isEqualTo(3 * MEGABYTE);
    assertThat(account.next(List.of(reading(1, 0, 10 + 804)), ReapedAccountTest::reaped))
        .isEqualTo(MEGABYTE);
  }

  /** As where the end of children is ignored: nobody gets what was counted of them. */
  @Test
  void aChildThatNoParentHasGotIsNotTakenOff() {
    ReapedAccount account = new ReapedAccount();
    account.next(
        List.of(reading(1, 0, 10), reading(2, 1, 800), reading(3, 1, 0)),
        ReapedAccountTest::reaped);

    for (int megabytes = 100; megabytes <= 300; megabytes += 100) {
      long bytes =
          account.next(
              List.of(reading(1, 0, 10), reading(3, 1, megabytes)), ReapedAccountTest::reaped);
      assertThat(bytes).isEqualTo(100 * MEGABYTE);
    }
  }

  /** Its own work is told apart from that of its children only for processor time. */
  @Test
  void whatAParentDoesItselfIsNotTakenForItsChildrens() {
    ReapedAccount account = new ReapedAccount();
    account.next(
        List.of(new Reading(1, 1, 0, 10, 0), new Reading(2, 2, 1, 800, 0)),
        ReapedAccountTest::reaped);

    for (int own = 110; own <= 310; own += 100) {
      assertThat(account.next(List.of(new Reading(1, 1, 0, own, 0)), ReapedAccountTest::reaped))
          .isEqualTo(100);
    }
  }

  @Test
  void whatNobodyGotInTheNextReadingIsForgotten() {
    ReapedAccount account = new ReapedAccount();
    account.next(List.of(reading(1, 0, 10), reading(2, 1, 800)), ReapedAccountTest::reaped);
    account.next(List.of(reading(1, 0, 10)), ReapedAccountTest::reaped);
    account.next(List.of(reading(1, 0, 10)), ReapedAccountTest::reaped);

    assertThat(account.next(List.of(reading(1, 0, 40)), ReapedAccountTest::reaped))
        .isEqualTo(30 * MEGABYTE);
  }

  @Test
  void aChildOfAChildIsFollowedToTheAncestorThatIsThere() {
    ReapedAccount account = new ReapedAccount();
    account.next(
        List.of(reading(1, 0, 0), reading(2, 1, 20), reading(3, 2, 700)),
        ReapedAccountTest::reaped);

    long bytes = account.next(List.of(reading(1, 0, 721)), ReapedAccountTest::reaped);

    assertThat(bytes).isEqualTo(MEGABYTE);
  }

  @Test
  void aNumberThatIsGivenAgainIsAnotherProcess() {
    ReapedAccount account = new ReapedAccount();
    account.next(List.of(reading(1, 0, 0), reading(2, 1, 500)), ReapedAccountTest::reaped);

    Reading other = new Reading(2, 99, 1, 7 * MEGABYTE);
    long bytes = account.next(List.of(reading(1, 0, 500), other), ReapedAccountTest::reaped);

    assertThat(bytes).isEqualTo(7 * MEGABYTE);
  }

  /** Whoever may not read a zombie's numbers knows it by its state. */
  @Test
  void aChildThatNobodyHasReapedIsTakenOffWhenItIsReaped() {
    ReapedAccount account = new ReapedAccount();
    account.next(List.of(reading(1, 0, 10), reading(2, 1, 800)), ReapedAccountTest::reaped);

    for (int reading = 0; reading < 3; reading++) {
      assertThat(account.next(List.of(reading(1, 0, 10)), gone -> OptionalLong.of(1))).isZero();
    }
    assertThat(account.next(List.of(reading(1, 0, 811)), ReapedAccountTest::reaped))
        .isEqualTo(MEGABYTE);
  }

  /** Histories of a tree whose kernel adds children to whoever reaps them. */
  @Test
  void nothingIsEverCountedTwiceAndNothingIsLost() {
    RandomGenerator random = Seeds.generator(Seeds.next("ReapedAccountTest"));
    for (int history = 0; history < HISTORIES; history++) {
      Tree tree = new Tree(random);
      ReapedAccount account = new ReapedAccount();
      long counted = account.next(tree.readings(), ReapedAccountTest::reaped);
      for (int step = 0; step < STEPS; step++) {
        tree.step();
        if (random.nextInt(4) == 0) {
          counted += account.next(tree.readings(), ReapedAccountTest::reaped);
          assertThat(counted)
              .as("history %d, step %d", history, step)
              .isLessThanOrEqualTo(tree.truth);
        }
      }
      tree.endAll();
      counted += account.next(tree.readings(), ReapedAccountTest::reaped);
      assertThat(counted).as("history %d", history).isEqualTo(tree.truth);
    }
  }

  /** A tree of processes, as the kernel accounts for them. */
  private static final class Tree {
    private static final long ROOT = 1;

    private final RandomGenerator random;
    private final Map<Long, Long> parents = new LinkedHashMap<>(Map.of(ROOT, 0L));
    private final Map<Long, Long> written = new LinkedHashMap<>(Map.of(ROOT, 0L));
    private final List<Long> zombies = new ArrayList<>();
    private long next = ROOT + 1;
    private long truth;

    Tree(RandomGenerator random) {
      this.random = random;
    }

    void step() {
      List<Long> alive = parents.keySet().stream().filter(pid -> !zombies.contains(pid)).toList();
      long one = alive.get(random.nextInt(alive.size()));
      switch (random.nextInt(4)) {
        case 0 -> {
          if (alive.size() < PROCESSES_MAX) {
            parents.put(next, one);
            written.put(next++, 0L);
          }
        }
        case 1 -> {
          if (one != ROOT) {
            end(one);
          }
        }
        case 2 -> {
          if (!zombies.isEmpty()) {
            reap(zombies.get(random.nextInt(zombies.size())));
          }
        }
        default -> {
          long bytes = random.nextLong(MEGABYTE);
          written.merge(one, bytes, Long::sum);
          truth += bytes;
        }
      }
    }

    /** Its children become the root's, as those of a subreaper do. */
    private void end(long pid) {
      zombies.add(pid);
      parents.replaceAll((child, parent) -> parent == pid ? ROOT : parent);
    }

    private void reap(long pid) {
      zombies.remove(pid);
      written.merge(parents.remove(pid), written.remove(pid), Long::sum);
    }

    void endAll() {
      List.copyOf(parents.keySet()).stream()
          .filter(pid -> pid != ROOT && !zombies.contains(pid))
          .forEach(this::end);
      List.copyOf(zombies).forEach(this::reap);
    }

    /** A zombie has its numbers until it is reaped. */
    List<Reading> readings() {
      return parents.keySet().stream()
          .map(pid -> new Reading(pid, pid, parents.get(pid), written.get(pid)))
          .toList();
    }
  }

  private static OptionalLong reaped(Reading gone) {
    return OptionalLong.empty();
  }

  private static Reading reading(long pid, long parent, long megabytes) {
    return new Reading(pid, pid, parent, megabytes * MEGABYTE);
  }
}
