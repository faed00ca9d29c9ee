package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.cluster.core.SimulatedReplica.Change;

/** A recovery log that survives its controllers, though its end may be lost between two of them. */
final class SimulatedLog {
  /** A transaction. */
  record Entry(long transaction, long position, List<Change> changes) {}

  private final Plant plant;
  private final List<Entry> entries = new ArrayList<>();

  SimulatedLog(Plant plant) {
    this.plant = plant;
  }

  List<Entry> entries() {
    return entries;
  }

  int size() {
    return entries.size();
  }

  void append(long transaction, long position, List<Change> changes) {
    entries.add(new Entry(transaction, position, changes));
  }

  long greatest() {
    return entries.stream().mapToLong(Entry::position).max().orElse(0);
  }

  /** The position of the last record; 0: there is none. */
  long last() {
    return entries.isEmpty() ? 0 : entries.getLast().position();
  }

  /** The position up to which a replica forgets what it has. */
  long belowEnd(RememberedPositions known) {
    return plant == Plant.FORGOTTEN_END ? known.floor() : known.floorBelowEnd(0);
  }

  /**
   * Loses so many of its last records, unless a replica misses one of them: then somebody brings
   * them back. Says whether one did.
   */
  boolean loseEnd(List<SimulatedReplica> replicas, int records) {
    List<Entry> whole = List.copyOf(entries);
    for (int i = 0; i < records && !entries.isEmpty(); i++) {
      entries.removeLast();
    }
    boolean missed = plant != Plant.LOST_LOG_TAIL && replicas.stream().anyMatch(this::isMissedBy);
    if (missed) {
      entries.clear();
      entries.addAll(whole);
    }
    return missed;
  }

  private boolean isMissedBy(SimulatedReplica replica) {
    Set<Long> positions = new TreeSet<>();
    entries.forEach(entry -> positions.add(entry.position()));
    boolean above = replica.floor > greatest() && plant != Plant.FORGOTTEN_END;
    return above || !positions.containsAll(replica.remembered);
  }
}
