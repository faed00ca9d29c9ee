package org.terrace.invocation;

/** The knowledge of a call's effect. */
public enum Outcome {
  /** The call took effect, or was refused by the service's own rules; the reply says which. */
  DONE,
  /**
   * The call took no effect and never will. An update under a {@link CallKey} has this outcome once
   * its key was asked for and so withdrawn, and never ROLLED_BACK: its attempts tell nothing of
   * those before.
   */
  NOT_EXECUTED,
  /** The service's method ended in an error, and everything that it wrote was rolled back. */
  ROLLED_BACK,
  /**
   * The call may or may not have taken effect; the same identity may be sent again without harm.
   */
  UNKNOWN
}
