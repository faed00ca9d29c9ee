package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A database server of numbers: what is committed survives a crash, what is not does not. */
final class SimulatedReplica {
  /** A change of one number: times a factor, plus a term. Changes by factors do not commute. */
  record Change(String key, long factor, long term) {
    long of(long value) {
      return value * factor + term;
    }

    /** Whether it is a definition, which commits by itself wherever it is done. */
    boolean lasts() {
      return factor == 0;
    }
  }

  /** All that is committed at one moment. */
  record Snapshot(
      Map<String, Long> rows,
      Set<Long> applied,
      NavigableSet<Long> remembered,
      long floor,
      long lineage) {}

  final int number;
  final Map<String, Long> committed = new TreeMap<>();

  /** The positions that are in its data, which only the judge of a history knows in whole. */
  final Set<Long> applied = new LinkedHashSet<>();

  /** The positions that it remembers itself to have, above a floor up to which it has all. */
  final NavigableSet<Long> remembered = new TreeSet<>();

  long floor;
  private final Map<Long, List<Change>> pending = new HashMap<>();

  /** Those that have read whose the replica is, which nobody else can become before their end. */
  private final Set<Long> marked = new HashSet<>();

  /** The things that must not have happened here. */
  final Set<String> faults = new TreeSet<>();

  boolean up = true;

  /** Whether its data are not a part of a copy. It remembers this itself. */
  boolean whole = true;

  /** The owner that it belongs to. */
  int owner;

  int incarnation;

  /** The number of times that it has ended what commits by itself, itself among them. */
  int ended;

  /** The definition that it was at, until that has failed or is committed; it remembers this. */
  long begun;

  /** The last moment at which what one replica had was taken for what all are to have. */
  long lineage;

  SimulatedReplica(int number) {
    this.number = number;
  }

  /** Executes a change within a transaction; nobody else may be changing the same number. */
  void execute(long transaction, Change change) {
    pending.forEach((other, changes) -> {
      if (other != transaction && changes.stream().anyMatch(c -> c.key().equals(change.key()))) {
        faults.add(
            "transactions %d and %d change %s at once at replica %d"
                .formatted(other, transaction, change.key(), number));
      }
    });
    pending.computeIfAbsent(transaction, id -> new ArrayList<>()).add(change);
  }

  /** Begins a definition. */
  void begin(long transaction) {
    begun = transaction;
  }

  /** Takes all that it has for what all are to have, whatever that is of a definition. */
  void settle(long moment) {
    begun = 0;
    lineage = moment;
  }

  /** Does a definition, whatever becomes of its transaction. */
  void define(Change change) {
    committed.merge(change.key(), change.of(0), (old, _) -> change.of(old));
  }

  /** Marks a transaction with its position, if the replica is still this owner's. */
  boolean mark(long transaction, int of) {
    return owner == of && marked.add(transaction);
  }

  /** Becomes another owner's, unless a transaction is marked that has not ended. */
  boolean take(int by) {
    if (marked.isEmpty()) {
      owner = by;
      endDefinitions();
    }
    return owner == by;
  }

  void commit(long transaction, long position, int of) {
    if (owner != of) {
      faults.add("replica %d committed %d for who owned it before".formatted(number, position));
    }
    List<Change> changes = pending.remove(transaction);
    marked.remove(transaction);
    if (begun == transaction) {
      begun = 0;
    }
    apply(position, changes == null ? List.of() : changes);
  }

  /** Does a whole transaction behind what is open for it here, which is to be nothing. */
  void replay(long transaction, long position, List<Change> changes) {
    List<Change> all = new ArrayList<>(pending.getOrDefault(transaction, List.of()));
    pending.remove(transaction);
    all.addAll(changes);
    apply(position, all);
  }

  void rollBack(long transaction) {
    pending.remove(transaction);
    marked.remove(transaction);
  }

  /** Does a whole transaction, unless it remembers that it has been done. */
  void apply(long position, List<Change> changes) {
    if (position > floor && remembered.add(position)) {
      applied.add(position);
      for (Change change : changes) {
        committed.merge(change.key(), change.of(0), (old, _) -> change.of(old));
      }
    }
  }

  /** Forgets which transactions it has up to a position. */
  void forget(long upTo) {
    floor = Math.max(floor, upTo);
    remembered.headSet(floor, true).clear();
  }

  Snapshot snapshot() {
    return new Snapshot(
        new TreeMap<>(committed),
        new TreeSet<>(applied),
        new TreeSet<>(remembered),
        floor,
        lineage);
  }

  /** Loses what it has, as a copy of another's data begins. */
  void beginCopy() {
    whole = false;
    committed.clear();
  }

  /** Has another's rows, with what that one remembered. */
  void endCopy(Map<String, Long> rows, Snapshot memory) {
    committed.clear();
    committed.putAll(rows);
    applied.clear();
    applied.addAll(memory.applied());
    remembered.clear();
    remembered.addAll(memory.remembered());
    floor = memory.floor();
    begun = 0;
    lineage = memory.lineage();
    whole = true;
  }

  /** Ends what was under way and would commit by itself. */
  void endDefinitions() {
    ended++;
  }

  /** Does again what the log has of a definition, which may be done already. */
  void redo(SimulatedLog.Entry entry) {
    if (begun == entry.transaction() && entry.position() > floor) {
      begun = 0;
    }
    apply(entry.position(), entry.changes());
  }

  void crash() {
    ended++;
    cut();
  }

  /** Is out of reach: what it does that commits by itself goes on. */
  void cut() {
    up = false;
    incarnation++;
    pending.clear();
    marked.clear();
  }
}
