package org.terrace.cluster.server.memory;

import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The memory of one replica about its cluster, as it is committed there.
 *
 * @param epoch the number of the ownership; 0: nobody ever owned it
 * @param owner the owner's name, to be shown
 * @param free whether the owner gave it back, or there was none
 * @param renewedMillis how long ago the owner renewed it, by the replica's clock
 * @param view the number of the last list of members that it was told; 0: none
 * @param members the names of the replicas that were active then
 * @param floor every transaction up to this position was committed here, or nowhere
 * @param log the identity of the recovery log that has all since; empty: there is none
 * @param diverged why its data are not to be trusted until they are copied; empty: they are
 * @param applied the positions above the floor that were committed here
 */
public record ReplicaMemory(
    long epoch,
    String owner,
    boolean free,
    long renewedMillis,
    long view,
    List<String> members,
    long floor,
    String log,
    String diverged,
    NavigableSet<Long> applied) {

  /** Copies what may change. */
  public ReplicaMemory {
    members = List.copyOf(members);
    applied = new TreeSet<>(applied);
  }

  /** The greatest position of which it knows. */
  public long last() {
    return applied.isEmpty() ? floor : Math.max(floor, applied.last());
  }

  /** Whether a transaction was committed here, or nowhere. */
  public boolean has(long position) {
    return position <= floor || applied.contains(position);
  }

  /**
   * Whether it was active without a log, or with another one, after that log began, and so may have
   * what the log lacks. One that was active only before it began has no more than the log's first
   * servers had.
   *
   * @param identity that of the log
   */
  public boolean wentOnWithout(String identity) {
    return view > 0 && !log.equals(identity) && Openings.of(view) >= Openings.ofLog(identity);
  }
}
