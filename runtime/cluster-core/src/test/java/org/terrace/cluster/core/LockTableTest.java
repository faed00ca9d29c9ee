package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.LockTable.Grant;
import org.terrace.testing.Seeds;

class LockTableTest {
  private static final int TRANSACTIONS = 8;

  @Test
  void rowsOfATableAreWrittenAtOnceAndTheWholeTableWaitsForThem() {
    LockTable locks = new LockTable();

    assertThat(locks.request(1, write("a", "1"))).isEqualTo(Grant.GRANTED);
    assertThat(locks.request(2, write("a", "2"))).isEqualTo(Grant.GRANTED);
    assertThat(locks.request(3, write("a", ""))).isEqualTo(Grant.WAITING);
    assertThat(locks.request(4, write("a", "3"))).as("behind who waits").isEqualTo(Grant.WAITING);
    assertThat(locks.request(5, write("b", "1"))).isEqualTo(Grant.GRANTED);

    assertThat(end(locks, 1).granted()).isEmpty();
    assertThat(end(locks, 2).granted()).containsExactly(3L);
    assertThat(end(locks, 3).granted()).containsExactly(4L);
  }

  @Test
  void whoClosesACircleIsRefused() {
    LockTable locks = new LockTable();
    locks.request(1, write("a", "1"));
    locks.request(2, write("a", "2"));

    assertThat(locks.request(1, write("a", "2"))).isEqualTo(Grant.WAITING);
    assertThat(locks.request(2, write("a", "1"))).isEqualTo(Grant.DEADLOCK);
    assertThat(end(locks, 2).granted()).containsExactly(1L);
  }

  @Test
  void whoWaitsIsToldForWhatAndForWhom() {
    LockTable locks = new LockTable();
    locks.request(1, write("a", "1"));
    locks.request(2, List.of(new LockDemand(Lockable.DATABASE, LockMode.EXCLUSIVE)));
    locks.request(3, write("b", ""));

    assertThat(locks.waitOf(2)).isEqualTo(new LockTable.LockWait(Lockable.DATABASE, List.of(1L)));
    assertThat(locks.waitOf(3)).isEqualTo(new LockTable.LockWait(Lockable.DATABASE, List.of(2L)));
    assertThat(Lockable.DATABASE.inWords()).isEqualTo("the whole database");
    assertThat(new Lockable("a", "1").inWords()).isEqualTo("the row 1 of a");
    assertThat(Lockable.ofName("sequences").inWords()).isEqualTo("the cluster's sequences");

    assertThat(locks.abandon(2).granted()).containsExactly(3L);
    assertThat(locks.abandon(2).granted()).isEmpty();
  }

  @Test
  void whoIsAnsweredButNotDoneEverywhereIsAPredecessor() {
    LockTable locks = new LockTable();
    locks.request(1, write("a", "1"));
    locks.release(1);

    locks.request(2, write("a", "1"));
    locks.request(3, write("a", "2"));
    assertThat(locks.predecessors(2)).containsExactly(1L);
    assertThat(locks.predecessors(3)).isEmpty();

    locks.finish(1);
    assertThat(locks.predecessors(2)).isEmpty();
  }

  /** Nobody holds what conflicts, nobody is forgotten, and nothing is left. */
  @Test
  void randomTransactionsAllEnd() {
    for (long seed : Seeds.histories("randomTransactionsAllEnd", 200)) {
      RandomGenerator random = Seeds.generator(seed);
      LockTable locks = new LockTable();
      Map<Long, List<LockDemand>> held = new HashMap<>();
      Map<Long, List<LockDemand>> wanted = new HashMap<>();
      Set<Long> ended = new HashSet<>();
      for (long step = 0; ended.size() < TRANSACTIONS && step < 10_000; step++) {
        long id = random.nextLong(TRANSACTIONS);
        if (ended.contains(id) || wanted.containsKey(id)) {
          continue;
        }
        boolean finishes = random.nextInt(4) == 0;
        if (!finishes) {
          List<LockDemand> demands = anyDemands(random);
          Grant grant = locks.request(id, demands);
          if (grant == Grant.GRANTED) {
            hold(held, id, demands);
          } else if (grant == Grant.WAITING) {
            wanted.put(id, demands);
          }
          finishes = grant == Grant.DEADLOCK;
        }
        if (finishes) {
          end(locks, id, held, wanted, ended);
        }
      }
      assertThat(ended).as("seed " + seed).hasSize(TRANSACTIONS);
      assertThat(locks.size()).as("seed " + seed).isZero();
    }
  }

  private static void end(
      LockTable locks,
      long id,
      Map<Long, List<LockDemand>> held,
      Map<Long, List<LockDemand>> wanted,
      Set<Long> ended) {
    held.remove(id);
    ended.add(id);
    LockTable.Changes changes = end(locks, id);
    for (long granted : changes.granted()) {
      hold(held, granted, wanted.remove(granted));
    }
    for (long victim : changes.deadlocked()) {
      wanted.remove(victim);
      end(locks, victim, held, wanted, ended);
    }
  }

  private static void hold(Map<Long, List<LockDemand>> held, long id, List<LockDemand> demands) {
    held.computeIfAbsent(id, key -> new ArrayList<>()).addAll(demands);
    for (LockDemand mine : demands) {
      held.forEach((other, theirs) -> {
        if (other != id) {
          theirs.forEach(their -> assertThat(conflict(mine, their)).isFalse());
        }
      });
    }
  }

  private static boolean conflict(LockDemand one, LockDemand other) {
    boolean tables = one.what().table().equals(other.what().table());
    boolean rows =
        one.what().key().isEmpty()
            || other.what().key().isEmpty()
            || one.what().key().equals(other.what().key());
    boolean write = one.mode() == LockMode.EXCLUSIVE || other.mode() == LockMode.EXCLUSIVE;
    return tables && rows && write;
  }

  private static List<LockDemand> anyDemands(RandomGenerator random) {
    List<LockDemand> demands = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      String key = random.nextInt(4) == 0 ? "" : String.valueOf(random.nextInt(3));
      LockMode mode = random.nextBoolean() ? LockMode.EXCLUSIVE : LockMode.SHARED;
      demands.add(new LockDemand(new Lockable("t" + random.nextInt(2), key), mode));
    }
    return demands;
  }

  private static LockTable.Changes end(LockTable locks, long transaction) {
    LockTable.Changes changes = locks.release(transaction);
    locks.finish(transaction);
    return changes;
  }

  private static List<LockDemand> write(String table, String key) {
    return List.of(new LockDemand(new Lockable(table, key), LockMode.EXCLUSIVE));
  }
}
