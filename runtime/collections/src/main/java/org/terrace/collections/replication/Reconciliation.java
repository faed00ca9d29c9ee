package org.terrace.collections.replication;

/**
 * A repair that changed something: what the paper's upcall tells the developer. Immutable.
 *
 * @param peer name of the replica that helped
 * @param kind how it was done
 * @param added updates or entries gained
 * @param removed entries that had been superseded elsewhere
 */
public record Reconciliation(String peer, Kind kind, int added, int removed) {
  /** The way in which a repair was done. */
  public enum Kind {
    /** Updates that had been missed were sent again. */
    UPDATES,
    /** Entries were compared as sets, or taken over as a whole. */
    STATE,
    /** Two replicas had applied the same updates and differed all the same: a fault, mended. */
    AUDIT
  }
}
