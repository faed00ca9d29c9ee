package org.terrace.cluster.core;

/**
 * The outcome of one step of a transaction at one replica, as far as it can be compared among them.
 *
 * @param kind whether it was done, and if not, whether it may be tried again
 * @param fingerprint what must be equal at all replicas: affected rows and a digest of what was
 *     returned, or the SQLState of the failure
 */
public record StatementOutcome(Kind kind, String fingerprint) {
  /** The kinds of outcome. */
  public enum Kind {
    /** The statement was done. */
    DONE,
    /** The statement is wrong or breaks a rule, and fails everywhere alike. */
    FAILED,
    /** The replica gave up for a reason of its own: a deadlock, a timeout, a snapshot too old. */
    GAVE_UP
  }

  /** Whether the statement was executed and took effect. */
  public boolean isDone() {
    return kind == Kind.DONE;
  }

  /** Done, with what must be equal everywhere. */
  public static StatementOutcome done(String fingerprint) {
    return new StatementOutcome(Kind.DONE, fingerprint);
  }
}
