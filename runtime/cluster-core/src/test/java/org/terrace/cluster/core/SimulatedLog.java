package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.cluster.core.SimulatedReplica.Change;

/** A recovery log that survives its controllers, though its end may be lost between two of them. */
final class SimulatedLog {
  /** A transaction. */
  record Entry(long position, List<Change> changes) {}

  private static final int LOST_RECORDS = 3;

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

  void append(long position, List<Change> changes) {
    entries.add(new Entry(position, changes));
  }

  long greatest() {
    return entries.stream().mapToLong(Entry::position).max().orElse(0);
  }

  /** The position up to which a replica forgets what it has, of those up to a floor. */
  long belowEnd(long floor) {
    long last = entries.isEmpty() ? 0 : entries.getLast().position();
    return plant == Plant.FORGOTTEN_END ? floor : RememberedPositions.floorBelowEnd(floor, last, 0);
  }

  /**
   * Loses its last records, unless a replica misses one of them: then somebody brings them back.
   * Says whether one did.
   */
  boolean loseEnd(List<SimulatedReplica> replicas) {
    List<Entry> whole = List.copyOf(entries);
    for (int i = 0; i < LOST_RECORDS && !entries.isEmpty(); i++) {
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
