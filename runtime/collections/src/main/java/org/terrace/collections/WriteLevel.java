package org.terrace.collections;

/**
 * How many replicas hold an update before its call returns, and so what it takes to lose it.
 *
 * <ul>
 *   <li>{@link #LOCAL}: this one. The update has been sent but perhaps not received: a crash of
 *       this process right after the call can lose it.
 *   <li>{@link #replicas(int) replicas(k)}: k, this one included. Only the crash of all k before
 *       any of them passed it on or wrote a checkpoint can lose it.
 *   <li>{@link #ALL}: every member of this replica's view at the moment of return. Only the crash
 *       of all of them can lose it. A replica that is cut off comes to see itself alone, and then
 *       ALL is one: whoever cannot accept that uses {@code replicas(k)}, which fails instead.
 * </ul>
 *
 * <p>A call that is not acknowledged in time throws {@link UnacknowledgedWriteException}: its
 * update is not undone and will still reach the others if this replica survives. Immutable.
 *
 * @param holders number of replicas, this one included
 */
public record WriteLevel(int holders) implements Comparable<WriteLevel> {
  /** This replica. */
  public static final WriteLevel LOCAL = new WriteLevel(1);

  /** Every member of the view. */
  public static final WriteLevel ALL = new WriteLevel(Integer.MAX_VALUE);

  /** Checks that at least one replica holds the update. */
  public WriteLevel {
    if (holders < 1) {
      throw new IllegalArgumentException("an update is held by 1 replica or more: " + holders);
    }
  }

  /** That many replicas, this one included. */
  public static WriteLevel replicas(int holders) {
    return new WriteLevel(holders);
  }

  @Override
  public int compareTo(WriteLevel other) {
    return Integer.compare(holders, other.holders);
  }

  @Override
  public String toString() {
    return this.equals(LOCAL) ? "LOCAL" : this.equals(ALL) ? "ALL" : "replicas(" + holders + ")";
  }
}
