package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A database server of numbers: what is committed survives a crash, what is not does not. */
final class SimulatedReplica {
  /** A change of one number: times a factor, plus a term. Changes by factors do not commute. */
  record Change(String key, long factor, long term) {
    long of(long value) {
      return value * factor + term;
    }
  }

  final int number;
  final Map<String, Long> committed = new TreeMap<>();
  final Set<Long> applied = new LinkedHashSet<>();
  private final Map<Long, List<Change>> pending = new HashMap<>();
  boolean up = true;

  /** Whether its data are not a part of a copy. It remembers this itself. */
  boolean whole = true;

  int incarnation;

  SimulatedReplica(int number) {
    this.number = number;
  }

  /** Executes a change within a transaction; nobody else may be changing the same number. */
  void execute(long transaction, Change change) {
    pending.forEach((other, changes) -> {
      if (other != transaction && changes.stream().anyMatch(c -> c.key().equals(change.key()))) {
        throw new AssertionError(
            "transactions %d and %d change %s at once at replica %d"
                .formatted(other, transaction, change.key(), number));
      }
    });
    pending.computeIfAbsent(transaction, id -> new ArrayList<>()).add(change);
  }

  void commit(long transaction, long position) {
    List<Change> changes = pending.remove(transaction);
    apply(position, changes == null ? List.of() : changes);
  }

  void rollBack(long transaction) {
    pending.remove(transaction);
  }

  /** Does a whole transaction, unless it has been done. */
  void apply(long position, List<Change> changes) {
    if (applied.add(position)) {
      for (Change change : changes) {
        committed.merge(change.key(), change.of(0), (old, _) -> change.of(old));
      }
    }
  }

  /** Loses what it has, as a copy of another's data begins. */
  void beginCopy() {
    whole = false;
    committed.clear();
  }

  /** Has another's data, with the positions of its transactions. */
  void endCopy(Map<String, Long> rows, Set<Long> positions) {
    committed.clear();
    committed.putAll(rows);
    applied.clear();
    applied.addAll(positions);
    whole = true;
  }

  void crash() {
    up = false;
    incarnation++;
    pending.clear();
  }
}
