package org.terrace.invocation.softstate;

import org.terrace.core.RequestIdentity;
import org.terrace.invocation.Outcome;

/** An effect that a front end asks for. */
sealed interface FrontEndEffect {

  /** Send the call to a replica, which is to answer it or only to run it. */
  record Send(RequestIdentity call, String replica, boolean answers) implements FrontEndEffect {}

  /** Send a health probe to a replica. */
  record SendHealthProbe(String replica) implements FrontEndEffect {}

  /** Wake the call at that time (elapsed nanoseconds). */
  record Wake(RequestIdentity call, long atNanos) implements FrontEndEffect {}

  /** The call is over: the reply of that replica is its result. */
  record Finish(RequestIdentity call, String replica) implements FrontEndEffect {}

  /** The call is over without a reply. */
  record GiveUp(RequestIdentity call, Outcome outcome) implements FrontEndEffect {}
}
