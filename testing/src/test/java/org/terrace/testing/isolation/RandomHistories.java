package org.terrace.testing.isolation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListStep.Read;
import org.terrace.testing.isolation.ListTransaction.Outcome;

/** Random histories on lists, by schedulers of which it is known what they allow. Stateless. */
final class RandomHistories {
  private static final int LISTS = 3;
  private static final int STEPS_MAX = 4;

  private RandomHistories() {}

  /** Transactions one after the other, some of which are undone, or of unknown outcome. */
  static ListHistory serial(RandomGenerator random, int count) {
    Map<Integer, List<Long>> lists = new HashMap<>();
    List<ListTransaction> transactions = new ArrayList<>();
    for (int id = 1; id <= count; id++) {
      Map<Integer, List<Long>> own = new HashMap<>();
      lists.forEach((list, elements) -> own.put(list, new ArrayList<>(elements)));
      List<ListStep> steps = new ArrayList<>();
      int many = 1 + random.nextInt(STEPS_MAX);
      for (int i = 0; i < many; i++) {
        steps.add(step(random, own, id * STEPS_MAX + i));
      }
      boolean takesEffect = random.nextInt(5) > 0;
      boolean isKnown = random.nextInt(5) > 0;
      Outcome told = takesEffect ? Outcome.COMMITTED : Outcome.ABORTED;
      transactions.add(
          new ListTransaction(
              id, IsolationLevel.SERIALIZABLE, isKnown ? told : Outcome.UNKNOWN, steps));
      if (takesEffect) {
        lists.putAll(own);
      }
    }
    return ListHistory.of(transactions, lists);
  }

  private static ListStep step(
      RandomGenerator random, Map<Integer, List<Long>> lists, long element) {
    int list = random.nextInt(LISTS);
    List<Long> elements = lists.computeIfAbsent(list, _ -> new ArrayList<>());
    if (random.nextBoolean()) {
      elements.add(element);
      return new Append(list, element);
    }
    return new Read(list, elements);
  }

  /**
   * A few committed transactions in one order, in which a read, or the order of a list, may be
   * another than it was.
   */
  static ListHistory smallAndOftenWrong(RandomGenerator random) {
    Map<Integer, List<Long>> lists = new HashMap<>();
    List<ListTransaction> transactions = new ArrayList<>();
    int count = 2 + random.nextInt(4);
    for (int id = 1; id <= count; id++) {
      List<ListStep> steps = new ArrayList<>();
      int many = 1 + random.nextInt(STEPS_MAX);
      for (int i = 0; i < many; i++) {
        steps.add(step(random, lists, id * STEPS_MAX + i));
      }
      transactions.add(
          new ListTransaction(id, IsolationLevel.SERIALIZABLE, Outcome.COMMITTED, steps));
    }
    int wrongs = random.nextInt(3);
    for (int i = 0; i < wrongs; i++) {
      if (random.nextInt(3) == 0) {
        swap(random, lists);
      } else {
        readOtherwise(random, transactions, lists);
      }
    }
    return ListHistory.of(transactions, lists);
  }

  private static void swap(RandomGenerator random, Map<Integer, List<Long>> lists) {
    List<Long> elements = lists.getOrDefault(random.nextInt(LISTS), List.of());
    if (elements.size() > 1) {
      int at = random.nextInt(elements.size() - 1);
      Collections.swap(elements, at, at + 1);
    }
  }

  /** Puts another beginning of what a list became in the place of what was read of it. */
  private static void readOtherwise(
      RandomGenerator random, List<ListTransaction> transactions, Map<Integer, List<Long>> lists) {
    int at = random.nextInt(transactions.size());
    ListTransaction reader = transactions.get(at);
    List<ListStep> steps = new ArrayList<>(reader.steps());
    int step = random.nextInt(steps.size());
    if (steps.get(step) instanceof Read(int list, List<Long> _)) {
      List<Long> whole = lists.getOrDefault(list, List.of());
      steps.set(step, new Read(list, whole.subList(0, random.nextInt(whole.size() + 1))));
      transactions.set(
          at, new ListTransaction(reader.id(), reader.level(), reader.outcome(), steps));
    }
  }

  /**
   * Transactions side by side on one copy of the lists, where appending takes a lock until the end:
   * at READ COMMITTED each read sees what is committed then, and a reader at SNAPSHOT what was
   * committed when it began, and fails if another has appended since to what it appends to.
   */
  static ListHistory concurrent(RandomGenerator random, IsolationLevel level) {
    Map<Integer, List<Long>> lists = new HashMap<>();
    Map<Integer, Long> locks = new HashMap<>();
    List<ListTransaction> transactions = new ArrayList<>();
    List<Running> running = new ArrayList<>();
    long ids = 0;
    for (int i = 0; i < 150; i++) {
      if (running.size() < 4) {
        running.add(new Running(++ids, level, lists, locks));
      }
      Running next = running.get(random.nextInt(running.size()));
      if (next.goOn(random)) {
        running.remove(next);
        transactions.add(next.over(random.nextInt(6) > 0));
      }
    }
    return ListHistory.of(transactions, lists);
  }

  /** A transaction under way. */
  private static final class Running {
    private final long id;
    private final IsolationLevel level;
    private final Map<Integer, List<Long>> lists;
    private final Map<Integer, Long> locks;
    private final Map<Integer, List<Long>> snapshot = new HashMap<>();
    private final Map<Integer, List<Long>> own = new HashMap<>();
    private final List<ListStep> steps = new ArrayList<>();
    private final Set<Integer> locked = new HashSet<>();
    private boolean failed;

    Running(
        long id, IsolationLevel level, Map<Integer, List<Long>> lists, Map<Integer, Long> locks) {
      this.id = id;
      this.level = level;
      this.lists = lists;
      this.locks = locks;
      lists.forEach((list, elements) -> snapshot.put(list, List.copyOf(elements)));
    }

    /** Does a step; whether it was the last. */
    boolean goOn(RandomGenerator random) {
      int list = random.nextInt(LISTS);
      if (random.nextBoolean()) {
        List<Long> seen = new ArrayList<>(base().getOrDefault(list, List.of()));
        seen.addAll(own.getOrDefault(list, List.of()));
        steps.add(new Read(list, seen));
      } else {
        append(list);
      }
      return failed || steps.size() == STEPS_MAX;
    }

    private Map<Integer, List<Long>> base() {
      return level == IsolationLevel.READ_COMMITTED ? lists : snapshot;
    }

    private void append(int list) {
      boolean isLate =
          !base().getOrDefault(list, List.of()).equals(lists.getOrDefault(list, List.of()));
      if (locks.getOrDefault(list, id) != id || isLate) {
        failed = true;
        return;
      }
      locks.put(list, id);
      locked.add(list);
      long element = id * STEPS_MAX + steps.size();
      own.computeIfAbsent(list, _ -> new ArrayList<>()).add(element);
      steps.add(new Append(list, element));
    }

    ListTransaction over(boolean commits) {
      boolean committed = commits && !failed;
      if (committed) {
        own.forEach((list, elements) ->
            lists.computeIfAbsent(list, _ -> new ArrayList<>()).addAll(elements));
      }
      locked.forEach(locks::remove);
      return new ListTransaction(id, level, committed ? Outcome.COMMITTED : Outcome.ABORTED, steps);
    }
  }
}
