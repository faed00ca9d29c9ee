package org.terrace.invocation.softstate;

/**
 * The counts of a front end's work so far. Immutable.
 *
 * @param hedges reads that were sent to one more replica because they hung
 * @param askedAgain calls of which another replica was asked because one did not answer
 * @param lateReplies replies to calls that were over, which were dropped
 * @param underWay calls under way now
 */
public record SoftStateCounters(long hedges, long askedAgain, long lateReplies, long underWay) {
  /** Counters of which none has counted yet. */
  public static final SoftStateCounters NONE = new SoftStateCounters(0, 0, 0, 0);
}
