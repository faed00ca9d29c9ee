package org.terrace.invocation.client;

import org.terrace.invocation.Outcome;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;

/** An effect that a call asks for. */
sealed interface CallEffect {

  /** Send the request to a replica, as the attempt of that number. */
  record Send(int attempt, Endpoint endpoint) implements CallEffect {}

  /** Ask the naming service, and answer with {@link CallEvent.Resolved}. */
  record Resolve() implements CallEffect {}

  /** Ask the replica of an attempt for a sign of life, and answer with {@link CallEvent.Sign}. */
  record AskForSign(int attempt) implements CallEffect {}

  /** Wait no longer for an attempt. */
  record Abandon(int attempt, boolean timedOut) implements CallEffect {}

  /** Give the caller the reply: RESULT or REFUSED. */
  record Answer(int attempt, CallReply reply) implements CallEffect {}

  /** Give the caller the failure. */
  record Fail(Outcome outcome, String reason) implements CallEffect {}
}
