package org.terrace.collections.replication;

/** The cause of a change to an entry of a collection. */
public enum ChangeCause {
  /** A call on this replica. */
  LOCAL,
  /** A call on another replica. */
  REMOTE,
  /** Repair of what had been missed. */
  REPAIR,
  /** The entry's time to live had passed. */
  EXPIRED,
  /** The collection had become too large. */
  EVICTED
}
