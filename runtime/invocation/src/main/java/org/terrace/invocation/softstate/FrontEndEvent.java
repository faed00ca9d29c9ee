package org.terrace.invocation.softstate;

import java.util.List;
import org.terrace.core.RequestIdentity;

/** An event that a front end handles. */
sealed interface FrontEndEvent {

  /** A caller begins a call, which must be over at the deadline (elapsed nanoseconds). */
  record Begun(RequestIdentity call, boolean isUpdate, long deadlineNanos)
      implements FrontEndEvent {}

  /** A replica replied: conclusively, or to say that it did not run the call. */
  record Replied(RequestIdentity call, String replica, boolean conclusive)
      implements FrontEndEvent {}

  /** A call could not be sent to a replica, or no reply will come of it. */
  record Failed(RequestIdentity call, String replica, boolean mayHaveRun)
      implements FrontEndEvent {}

  /** A copy of an update, which was to be run without an answer, was not sent whole. */
  record CopyFailed(RequestIdentity call, String replica, boolean mayHaveRun)
      implements FrontEndEvent {}

  /** The time that a call asked to be woken at has come. */
  record Woken(RequestIdentity call) implements FrontEndEvent {}

  /** The replicas of the service are these now. */
  record ReplicasChanged(List<String> replicas) implements FrontEndEvent {}

  /** It is time for health probes. */
  record HealthProbesDue() implements FrontEndEvent {}

  /** A replica answered a health probe, and says whether it misses updates. */
  record HealthProbeAnswered(String replica, boolean behind) implements FrontEndEvent {}

  /** A health probe will not be answered. */
  record HealthProbeFailed(String replica) implements FrontEndEvent {}
}
