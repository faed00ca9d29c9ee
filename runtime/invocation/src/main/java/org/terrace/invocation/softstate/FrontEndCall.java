package org.terrace.invocation.softstate;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.Outcome;

/**
 * One call of a front end, from its beginning until it has a reply or is given up. Confined to the
 * holder of the front end's lock.
 */
abstract class FrontEndCall {
  /** The pause before replicas are asked again that all have failed or declined. */
  private static final long RETRY_PAUSE_NANOS = 20_000_000;

  final FrontEnd frontEnd;
  final RequestIdentity identity;
  final long begunNanos;
  final long deadlineNanos;
  private final Set<String> asked = new HashSet<>();
  private final Set<String> waitedFor = new HashSet<>();
  private final Set<String> copies = new HashSet<>();
  private final Set<String> declined = new HashSet<>();
  private boolean mayHaveRun;

  FrontEndCall(FrontEnd frontEnd, RequestIdentity identity, long begunNanos, long deadlineNanos) {
    this.frontEnd = frontEnd;
    this.identity = identity;
    this.begunNanos = begunNanos;
    this.deadlineNanos = deadlineNanos;
  }

  abstract boolean isUpdate();

  /** Sends the call out for the first time. */
  abstract void begin(long nowNanos, List<FrontEndEffect> effects);

  /** The replicas in the order in which they should be asked now. */
  abstract List<String> order(long nowNanos);

  /** The time has come that it asked to be woken at. */
  abstract void woken(long nowNanos, List<FrontEndEffect> effects);

  final void replied(
      String replica, boolean conclusive, long nowNanos, List<FrontEndEffect> effects) {
    declined.add(replica);
    if (conclusive || declined.containsAll(frontEnd.replicas.names())) {
      effects.add(new FrontEndEffect.Finish(identity, replica));
    } else {
      lost(replica, nowNanos, effects);
    }
  }

  final void failed(String replica, boolean mayHave, long nowNanos, List<FrontEndEffect> effects) {
    mayHaveRun |= mayHave;
    lost(replica, nowNanos, effects);
  }

  private void lost(String replica, long nowNanos, List<FrontEndEffect> effects) {
    if (waitedFor.remove(replica) && waitedFor.isEmpty()) {
      askNext(nowNanos, effects);
    }
  }

  /** Asks a replica for an answer. */
  final void ask(String replica, List<FrontEndEffect> effects) {
    asked.add(replica);
    waitedFor.add(replica);
    effects.add(new FrontEndEffect.Send(identity, replica, true));
  }

  /** Sends a copy to be run without an answer. */
  final void copyTo(String replica, List<FrontEndEffect> effects) {
    copies.add(replica);
    effects.add(new FrontEndEffect.Send(identity, replica, false));
  }

  /** A copy certainly did not arrive. */
  final void copyNotRun(String replica) {
    copies.remove(replica);
  }

  /** Asks the next replica that was not asked yet; after the last, all anew after a pause. */
  final void askNext(long nowNanos, List<FrontEndEffect> effects) {
    if (nowNanos >= deadlineNanos) {
      giveUp(effects);
      return;
    }
    for (String replica : order(nowNanos)) {
      if (!asked.contains(replica)) {
        frontEnd.noteAskedAgain();
        ask(replica, effects);
        wakeAt(nowNanos + frontEnd.answerDelayNanos(), effects);
        return;
      }
    }
    asked.retainAll(waitedFor);
    wakeAt(nowNanos + Math.max(RETRY_PAUSE_NANOS, frontEnd.answerDelayNanos()), effects);
  }

  final void wakeAt(long atNanos, List<FrontEndEffect> effects) {
    effects.add(new FrontEndEffect.Wake(identity, Math.min(atNanos, deadlineNanos)));
  }

  final void giveUp(List<FrontEndEffect> effects) {
    boolean unknown = isUpdate() && (mayHaveRun || !copies.isEmpty() || !waitedFor.isEmpty());
    effects.add(
        new FrontEndEffect.GiveUp(identity, unknown ? Outcome.UNKNOWN : Outcome.NOT_EXECUTED));
  }
}
