package org.terrace.invocation.retention;

import org.terrace.middleware.CallReply;

/** The outcome of one transaction of a call. */
sealed interface Step {

  /** A step after which the call has its reply. */
  sealed interface Last extends Step {
    CallReply reply();
  }

  /** Committed with its reply. */
  record Executed(CallReply reply) implements Last {}

  /** The reply was there already. */
  record Repeated(CallReply reply) implements Last {}

  /** A reply was there already, to another payload. */
  record Mismatched(CallReply reply) implements Last {}

  /** Rolled back: acknowledged before, or of a client whose lease is over. */
  record Stale(CallReply reply) implements Last {}

  /** Rolled back: of an epoch that is over. */
  record Fenced(CallReply reply) implements Last {}

  /** Rolled back after an error. */
  record Failed(CallReply reply) implements Last {}

  /** The connection broke during the commit. */
  record InDoubt(CallReply reply) implements Last {}

  /** The work was refused and rolled back; the refusal is still to be stored. */
  record Refused(CallReply refusal) implements Step {}

  /** Rolled back, and worth another transaction. */
  record Again() implements Step {}
}
