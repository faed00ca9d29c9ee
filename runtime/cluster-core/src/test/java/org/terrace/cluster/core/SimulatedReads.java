package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.cluster.core.SimulatedReplica.Change;
import org.terrace.testing.isolation.IsolationLevel;
import org.terrace.testing.isolation.ListHistory;
import org.terrace.testing.isolation.ListStep;
import org.terrace.testing.isolation.ListTransaction;
import org.terrace.testing.isolation.ListTransaction.Outcome;

/**
 * The reads of sessions, each of one moment of one replica, from which the anomalies of a history
 * are told: a number is the list of the changes that were made to it. For one thread.
 */
final class SimulatedReads {
  private static final int CHANGES_MAX = 8;
  private static final long FIRST_READER = 1L << 40;

  /** The positions of which a reader saw the changes of accounts, and of registers. */
  private record Seen(Set<Long> ofAccounts, Set<Long> ofRegisters) {
    boolean has(String key, long position) {
      return (key.startsWith("account") ? ofAccounts : ofRegisters).contains(position);
    }
  }

  /** One of so many numbers is read by a transaction that writes. */
  private static final int FEW = 3;

  private final List<Seen> reads = new ArrayList<>();
  private final Map<Long, Seen> ofWriters = new HashMap<>();

  /** Notes a read of the accounts at one replica, and of the registers at the same or another. */
  void note(SimulatedReplica accounts, SimulatedReplica registers) {
    Set<Long> ofAccounts = Set.copyOf(accounts.applied);
    reads.add(
        new Seen(ofAccounts, accounts == registers ? ofAccounts : Set.copyOf(registers.applied)));
  }

  /** Takes the last read for one of a transaction that writes. */
  void isOf(long transaction) {
    ofWriters.put(transaction, reads.removeLast());
  }

  /** The history of what a log has, in its order, and of these reads. */
  ListHistory history(List<SimulatedLog.Entry> log) {
    Map<String, Integer> numbers = new TreeMap<>();
    Map<Integer, List<Long>> lists = new HashMap<>();
    List<ListTransaction> transactions = new ArrayList<>();
    Map<Long, List<ListStep>> appends = new HashMap<>();
    for (SimulatedLog.Entry entry : log) {
      List<ListStep> steps = new ArrayList<>();
      for (Change change : entry.changes()) {
        int list = numbers.computeIfAbsent(change.key(), _ -> numbers.size());
        long element = entry.position() * CHANGES_MAX + steps.size();
        lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(element);
        steps.add(new ListStep.Append(list, element));
      }
      appends.put(entry.position(), steps);
    }
    for (SimulatedLog.Entry entry : log) {
      List<ListStep> steps = new ArrayList<>();
      Seen own = ofWriters.get(entry.transaction());
      if (own != null) {
        read(own, numbers, lists).stream()
            .filter(read -> (read.list() + entry.position()) % FEW == 0)
            .forEach(steps::add);
      }
      steps.addAll(appends.getOrDefault(entry.position(), List.of()));
      transactions.add(
          new ListTransaction(
              entry.position(), IsolationLevel.READ_COMMITTED, Outcome.COMMITTED, steps));
    }
    for (int i = 0; i < reads.size(); i++) {
      transactions.add(
          new ListTransaction(
              FIRST_READER + i,
              IsolationLevel.SNAPSHOT,
              Outcome.COMMITTED,
              read(reads.get(i), numbers, lists)));
    }
    return ListHistory.of(transactions, lists);
  }

  private static List<ListStep> read(
      Seen seen, Map<String, Integer> numbers, Map<Integer, List<Long>> lists) {
    List<ListStep> steps = new ArrayList<>();
    numbers.forEach((key, list) ->
        steps.add(
            new ListStep.Read(
                list,
                lists.getOrDefault(list, List.of()).stream()
                    .filter(element -> seen.has(key, element / CHANGES_MAX))
                    .toList())));
    return steps;
  }
}
