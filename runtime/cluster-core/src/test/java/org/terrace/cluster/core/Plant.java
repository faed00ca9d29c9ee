package org.terrace.cluster.core;

/** A fault that is planted now and then in what surrounds the core. */
enum Plant {
  NOTHING,
  /** A replica says that it has done a write, and has not. */
  DROPPED_WRITE,
  /** A replica commits a transaction before another that it should come after. */
  SWAPPED_ORDER,
  /** The last records of the log are gone when the controller comes back, and nobody asks. */
  LOST_LOG_TAIL,
  /** The replicas are asked then, and have forgotten what they all have, and that they have. */
  FORGOTTEN_END,
  /** A transaction goes on as if its record were written. */
  NO_RECORD,
  /** A record that the log refused is taken for one that may be there. */
  COUNTED_REFUSAL,
  /** A session reads at any replica, whatever it has seen before. */
  STALE_READ,
  /** A session reads accounts at one replica and registers at another, as if at one moment. */
  FRACTURED_READ,
  /** A commit does not say what its session has read, which a replica may then do after it. */
  UNORDERED_CAUSE,
  /** A replica that crashed within a copy returns by the log. */
  HALF_COPY,
  /** The positions of a copy are of another moment than its rows. */
  TORN_COPY,
  /** The tasks left at a replica that is taken out, which it does when it is back. */
  STALE_BRANCH,
  /** A replica does not tell by its mark that it is another owner's. */
  UNCHECKED_OWNER,
  /** Nobody asks a replica that returns for a definition that it was at. */
  FORGOTTEN_DEFINITION,
  /** Nobody notes who lacks a definition that was done and is undone. */
  UNNOTED_DIFFERENCE;

  /** Whether it is one of definitions, which are made more often then. */
  boolean isOfDefinitions() {
    return switch (this) {
      case FORGOTTEN_DEFINITION, UNNOTED_DIFFERENCE -> true;
      default -> false;
    };
  }

  /** Whether it is seen in so few histories that the short build would look for it too long. */
  boolean isRare() {
    return isOfDefinitions() || this == UNORDERED_CAUSE;
  }

  /** The strategy under which the fault can be seen. */
  WriteStrategy strategy() {
    return switch (this) {
      case STALE_READ, FRACTURED_READ, UNORDERED_CAUSE, STALE_BRANCH -> WriteStrategy.WAIT_FIRST;
      default -> WriteStrategy.WAIT_ALL;
    };
  }
}
