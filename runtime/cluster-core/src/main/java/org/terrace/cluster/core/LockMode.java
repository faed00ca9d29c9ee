package org.terrace.cluster.core;

/**
 * The strength of a lock, in the hierarchy of Gray, Lorie, Putzolu and Traiger (1976): a lock on a
 * part needs an intention on the whole. Writing all while intending to read parts is {@link
 * #EXCLUSIVE} here.
 */
public enum LockMode {
  /** Parts of it will be read. */
  INTENT_SHARED,
  /** Parts of it will be written. */
  INTENT_EXCLUSIVE,
  /** All of it is read. */
  SHARED,
  /** All of it is written. */
  EXCLUSIVE;

  /** Whether two transactions may hold these modes on one thing at once. */
  boolean isCompatibleWith(LockMode other) {
    return switch (this) {
      case INTENT_SHARED -> other != EXCLUSIVE;
      case INTENT_EXCLUSIVE -> other == INTENT_SHARED || other == INTENT_EXCLUSIVE;
      case SHARED -> other == INTENT_SHARED || other == SHARED;
      case EXCLUSIVE -> false;
    };
  }

  /** The weakest mode that is at least as strong as both. */
  LockMode join(LockMode other) {
    if (this == other || other == INTENT_SHARED) {
      return this;
    }
    return this == INTENT_SHARED ? other : EXCLUSIVE;
  }

  /** The intention that a lock of this mode on a part needs on the whole. */
  LockMode intention() {
    return this == SHARED || this == INTENT_SHARED ? INTENT_SHARED : INTENT_EXCLUSIVE;
  }
}
