package org.terrace.cluster.core;

/** The positions of transactions that a replica remembers one by one. Stateless. */
public final class RememberedPositions {
  private RememberedPositions() {}

  /**
   * The position up to which a replica may forget which transactions it has, of those up to a
   * floor: below the last record, whose position it keeps. A log that loses its end lacks that one
   * in any case, however the positions follow each other in the log, and the replica can tell.
   *
   * @param floor every transaction up to it is at an end at the replica
   * @param last the position of the log's last record; 0: it has none
   * @param before the greatest position of all that the log does not have any more, or never had
   */
  public static long floorBelowEnd(long floor, long last, long before) {
    return Math.min(floor, Math.max(before, last - 1));
  }
}
