package org.terrace.collections.replication;

import java.util.Comparator;

/**
 * The number of replicas that hold an update before its call returns, and so what it takes to lose
 * it.
 *
 * <ul>
 *   <li>{@link #LOCAL}: this one. The update has been sent, or goes with the next message, but has
 *       perhaps not been received: a crash of this process right after the call can lose it, with
 *       up to about 128 KB of updates before it as long as any other member answers.
 *   <li>{@link #replicas(int) replicas(k)}: k, this one included. Only the crash of all k before
 *       any of them passed it on or wrote a checkpoint can lose it.
 *   <li>{@link #ALL}: every member of this replica's view at the moment of return that has caught
 *       up with what was made before it came. Only the crash of all of them can lose it. A replica
 *       that is cut off comes to see itself alone (after about a second with {@code
 *       MembershipOptions.defaults()}), and then ALL is one: what it acknowledges from then until
 *       it is heard again is lost if it crashes without a checkpoint.
 *   <li>{@link #allOf(int) allOf(n)}: every member of the view, and at least n. A replica that sees
 *       fewer fails instead: with n = 2 of three replicas, the crash of any one never loses an
 *       acknowledged update, cut off or not.
 * </ul>
 *
 * <p>A call that is not acknowledged in time throws {@link UnacknowledgedWriteException}: its
 * update is not undone and will still reach the others if this replica survives. Immutable.
 *
 * @param holders number of replicas at least, this one included
 * @param everyMember whether every member of the view is asked for as well
 */
public record WriteLevel(int holders, boolean everyMember) implements Comparable<WriteLevel> {
  /** The level of a write held by this replica. */
  public static final WriteLevel LOCAL = replicas(1);

  /** Every member of the view. */
  public static final WriteLevel ALL = allOf(1);

  private static final Comparator<WriteLevel> ORDER =
      Comparator.comparingInt((WriteLevel level) -> level.everyMember() ? 1 : 0)
          .thenComparingInt(WriteLevel::holders);

  /** Checks that at least one replica holds the update. */
  public WriteLevel {
    if (holders < 1) {
      throw new IllegalArgumentException("an update is held by 1 replica or more: " + holders);
    }
  }

  /** The level of so many replicas, this one included. */
  public static WriteLevel replicas(int holders) {
    return new WriteLevel(holders, false);
  }

  /** Every member of the view, and at least that many replicas, this one included. */
  public static WriteLevel allOf(int holders) {
    return new WriteLevel(holders, true);
  }

  @Override
  public int compareTo(WriteLevel other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    if (everyMember) {
      return holders == 1 ? "ALL" : "allOf(" + holders + ")";
    }
    return holders == 1 ? "LOCAL" : "replicas(" + holders + ")";
  }
}
