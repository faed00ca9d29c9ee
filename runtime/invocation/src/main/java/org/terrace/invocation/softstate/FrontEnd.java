package org.terrace.invocation.softstate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;

/**
 * The client's side of a soft-state service as a pure state machine: which replica each call is
 * sent to, which is to answer, when to ask another, and when a call is over. Time comes in with
 * each event; what it wants done goes out as effects. Confined to the holder of its owner's lock.
 *
 * <p>Source: Marian, Balakrishnan, Birman, van Renesse, "Tempest: Soft state replication in the
 * service tier", 2008, section 3.1. Beyond it: an update that is not answered is asked of the next
 * replica under the same identity, and a read that hangs is hedged (Dean and Barroso, "The Tail at
 * Scale", 2013).
 */
final class FrontEnd {
  private static final double HEDGE_QUANTILE = 0.95;
  private static final double ANSWER_QUANTILE = 0.99;
  private static final double ANSWER_FACTOR = 4;
  private static final double HEDGES_SAVED_MAX = 10;

  final SoftStateOptions options;
  final Replicas replicas = new Replicas();
  private final Map<RequestIdentity, FrontEndCall> calls = new HashMap<>();
  private final QuantileEstimate readDelay;
  private final QuantileEstimate updateDelay;
  private double hedgesSaved;
  private @Nullable String preferred;
  private long hedges;
  private long askedAgain;
  private long lateReplies;

  FrontEnd(SoftStateOptions options) {
    this.options = options;
    this.hedgesSaved = options.hedgeShareMax() == 0 ? 0 : 1;
    this.readDelay = new QuantileEstimate(HEDGE_QUANTILE, options.hedgeMax().toNanos() / 4.0);
    this.updateDelay = new QuantileEstimate(ANSWER_QUANTILE, options.answerMax().toNanos() / 4.0);
  }

  /** The effects that are due now that this has happened. */
  List<FrontEndEffect> step(FrontEndEvent event, long nowNanos) {
    List<FrontEndEffect> effects = new ArrayList<>();
    switch (event) {
      case FrontEndEvent.Begun begun -> begin(begun, nowNanos, effects);
      case FrontEndEvent.Replied replied -> replied(replied, nowNanos, effects);
      case FrontEndEvent.Failed failed -> failed(failed, nowNanos, effects);
      case FrontEndEvent.CopyFailed copy -> {
        replicas.unreachable(copy.replica());
        FrontEndCall call = calls.get(copy.call());
        if (call != null && !copy.mayHaveRun()) {
          call.copyNotRun(copy.replica());
        }
      }
      case FrontEndEvent.Woken(RequestIdentity identity) -> {
        FrontEndCall call = calls.get(identity);
        if (call != null) {
          call.woken(nowNanos, effects);
        }
      }
      case FrontEndEvent.ReplicasChanged(List<String> names) -> replicas.set(names);
      case FrontEndEvent.HealthProbesDue() -> {
        for (String name : replicas.names()) {
          if (replicas.healthProbeSent(name, nowNanos)) {
            effects.add(new FrontEndEffect.SendHealthProbe(name));
          }
        }
      }
      case FrontEndEvent.HealthProbeAnswered(String name, boolean behind) ->
          replicas.healthProbeAnswered(name, behind, nowNanos);
      case FrontEndEvent.HealthProbeFailed(String name) -> replicas.healthProbeFailed(name);
    }
    note(effects);
    return effects;
  }

  private void begin(FrontEndEvent.Begun begun, long nowNanos, List<FrontEndEffect> effects) {
    FrontEndCall call =
        begun.isUpdate()
            ? new UpdateCall(this, begun.call(), nowNanos, begun.deadlineNanos())
            : new ReadCall(this, begun.call(), nowNanos, begun.deadlineNanos());
    calls.put(begun.call(), call);
    if (!begun.isUpdate()) {
      hedgesSaved = Math.min(HEDGES_SAVED_MAX, hedgesSaved + options.hedgeShareMax());
    }
    call.begin(nowNanos, effects);
  }

  private void replied(FrontEndEvent.Replied event, long nowNanos, List<FrontEndEffect> effects) {
    replicas.ended(event.replica(), true);
    FrontEndCall call = calls.get(event.call());
    if (call == null) {
      lateReplies++;
      return;
    }
    if (event.conclusive() && call.isUpdate()) {
      updateDelay.add((double) (nowNanos - call.begunNanos));
    } else if (event.conclusive()) {
      readDelay.add((double) (nowNanos - call.begunNanos));
      preferred = preferred() == null ? event.replica() : preferred;
    }
    call.replied(event.replica(), event.conclusive(), nowNanos, effects);
  }

  private void failed(FrontEndEvent.Failed event, long nowNanos, List<FrontEndEffect> effects) {
    replicas.ended(event.replica(), false);
    if (event.replica().equals(preferred)) {
      preferred = null;
    }
    FrontEndCall call = calls.get(event.call());
    if (call != null) {
      call.failed(event.replica(), event.mayHaveRun(), nowNanos, effects);
    }
  }

  /** Takes note of what was decided. */
  private void note(List<FrontEndEffect> effects) {
    for (FrontEndEffect effect : effects) {
      switch (effect) {
        case FrontEndEffect.Send(RequestIdentity call, String replica, boolean answers) -> {
          if (answers) {
            replicas.sent(replica);
          }
        }
        case FrontEndEffect.Finish finish -> calls.remove(finish.call());
        case FrontEndEffect.GiveUp giveUp -> calls.remove(giveUp.call());
        case FrontEndEffect.SendHealthProbe ignored -> {}
        case FrontEndEffect.Wake ignored -> {}
      }
    }
  }

  /** The replica that baseline discovery has settled on, if it is still one that can be reached. */
  @Nullable String preferred() {
    String name = preferred;
    return name != null && replicas.isReachable(name) ? name : null;
  }

  /** The time that a read may hang before it is hedged. */
  long hedgeDelayNanos() {
    return Math.clamp(
        (long) readDelay.value(), options.hedgeMin().toNanos(), options.hedgeMax().toNanos());
  }

  /** The time that a call may hang before its replica is given up. */
  long answerDelayNanos() {
    return Math.clamp(
        (long) (ANSWER_FACTOR * updateDelay.value()),
        options.answerMin().toNanos(),
        options.answerMax().toNanos());
  }

  /** Takes one hedge out of what has been saved up; says whether there was one. */
  boolean mayHedge() {
    if (hedgesSaved < 1) {
      return false;
    }
    hedgesSaved--;
    hedges++;
    return true;
  }

  void noteAskedAgain() {
    askedAgain++;
  }

  int callsUnderWay() {
    return calls.size();
  }

  SoftStateCounters counters() {
    return new SoftStateCounters(hedges, askedAgain, lateReplies, calls.size());
  }
}
