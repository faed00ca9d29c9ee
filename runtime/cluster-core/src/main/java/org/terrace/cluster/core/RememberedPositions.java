package org.terrace.cluster.core;

/**
 * The positions of transactions that a replica remembers one by one, in bounds.
 *
 * @param floor every transaction up to it is at an end at the replica
 * @param last the position of the last record, in the order of the log, whose transaction is at an
 *     end at all active replicas; 0: the log has none. One that is only on the disk would not do:
 *     no replica may have its position yet
 */
public record RememberedPositions(long floor, long last) {
  /**
   * The position up to which a replica may forget which transactions it has: below the last record
   * that is done, whose position it keeps. A log that loses its end with that one lacks it in any
   * case, however the positions follow each other in the log, and the replica can tell. What comes
   * behind it is above the floor where it was done at all.
   *
   * @param before the greatest position of all that the log does not have any more, or never had
   */
  public long floorBelowEnd(long before) {
    return Math.min(floor, Math.max(before, last - 1));
  }
}
