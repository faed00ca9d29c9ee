package org.terrace.invocation.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.client.CallEvent.Candidates;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;

/**
 * The course of one call over attempts, replicas, and references, as a state machine without
 * clocks, threads or sockets. Confined to one thread.
 *
 * <p>It is safe to send an update to a second replica while the first may still run it, because all
 * attempts carry one identity: whichever replica comes second finds the reply of the first. What it
 * must get right is what it says of a call without a reply: {@link Outcome#NOT_EXECUTED} or {@link
 * Outcome#ROLLED_BACK} only when no attempt can have taken effect, nor ever will. A key has a
 * history outside of this call: only the word that it is withdrawn says that much of it.
 */
final class CallCore {
  /** The baseline's: how often the primary is asked for before waiting, and the wait. */
  static final int LOOKUPS_BEFORE_WAIT = 2;

  static final long BASELINE_WAIT_NANOS = 5_000_000_000L;
  static final long FIRST_WAIT_NANOS = 2_000_000L;
  static final long LONGEST_WAIT_NANOS = 1_000_000_000L;
  private static final int ATTEMPTS_MAX = 1_000;
  private static final long NEVER = Long.MAX_VALUE;

  /** The account that pays for whatever is sent more than once. */
  interface Budget {
    /** Takes one hedge out, or says no. */
    boolean mayHedge();

    /** Takes one retry out, if it is there. */
    void retried();
  }

  private record Outstanding(int attempt, Endpoint endpoint, long sentNanos, long untilNanos) {}

  private final CallPlan plan;
  private final Budget budget;
  private final List<Outstanding> outstanding = new ArrayList<>(2);
  private final Set<Endpoint> tried = new HashSet<>();
  private Candidates candidates = Candidates.NONE;
  private int next;
  private int attempts;
  private int lookups;
  private int waits;
  private boolean resolving;
  private boolean waited;
  private boolean mayHaveRun;
  private boolean rejected;
  private boolean rolledBack;
  private boolean forgotten;
  private boolean finished;
  private long retryAtNanos = NEVER;
  private long hedgeAtNanos = NEVER;
  private long askAtNanos = NEVER;
  private String reason = "no replica is registered";

  /**
   * The course of a call.
   *
   * @param budget of what is sent more than once
   */
  CallCore(CallPlan plan, Budget budget) {
    this.plan = plan;
    this.budget = budget;
  }

  /** The time at which {@link CallEvent.Tick} is due next. */
  long nextTickNanos() {
    long earliest = Math.min(plan.deadlineNanos(), Math.min(retryAtNanos, hedgeAtNanos));
    earliest = Math.min(earliest, askAtNanos);
    for (Outstanding each : outstanding) {
      earliest = Math.min(earliest, each.untilNanos);
    }
    return earliest;
  }

  /** Whether the call waits before it asks again. */
  boolean isWaiting() {
    return retryAtNanos != NEVER;
  }

  /** Whether the call goes to all replicas at once. */
  boolean goesToAll() {
    return candidates.toAll();
  }

  boolean isFinished() {
    return finished;
  }

  List<CallEffect> step(CallEvent event, long nowNanos) {
    List<CallEffect> effects = new ArrayList<>(2);
    if (finished) {
      return effects;
    }
    switch (event) {
      case CallEvent.Begin begin -> begin(begin.candidates(), nowNanos, effects);
      case CallEvent.Replied replied -> replied(replied, nowNanos, effects);
      case CallEvent.Lost lost -> lost(lost, nowNanos, effects);
      case CallEvent.Sign sign -> heard(sign, nowNanos, effects);
      case CallEvent.Resolved resolved -> resolved(resolved.candidates(), nowNanos, effects);
      case CallEvent.Noticed noticed -> noticed(noticed.candidates(), nowNanos, effects);
      case CallEvent.Tick _ -> tick(nowNanos, effects);
    }
    return effects;
  }

  private void begin(Candidates known, long now, List<CallEffect> effects) {
    candidates = known;
    if (known.order().isEmpty()) {
      resolve(effects);
    } else {
      sweep(now, effects);
    }
  }

  /** Begins to try the candidates from the first. */
  private void sweep(long now, List<CallEffect> effects) {
    next = 0;
    tried.clear();
    rejected = false;
    rolledBack = false;
    retryAtNanos = NEVER;
    if (!candidates.toAll()) {
      sendNext(now, effects);
      return;
    }
    while (hasNext()) {
      sendNext(now, effects);
    }
    if (outstanding.isEmpty()) {
      recover(now, effects);
    }
  }

  private boolean hasNext() {
    int reachable = plan.otherReplicas() || candidates.toAll() ? candidates.order().size() : 1;
    while (next < Math.min(reachable, candidates.order().size())) {
      Endpoint endpoint = candidates.order().get(next);
      if (!tried.contains(endpoint) && !isOutstanding(endpoint)) {
        return true;
      }
      next++;
    }
    return false;
  }

  private boolean isOutstanding(Endpoint endpoint) {
    return outstanding.stream().anyMatch(each -> each.endpoint.equals(endpoint));
  }

  private void sendNext(long now, List<CallEffect> effects) {
    if (!hasNext()) {
      if (outstanding.isEmpty()) {
        recover(now, effects);
      }
      return;
    }
    Endpoint endpoint = candidates.order().get(next++);
    tried.add(endpoint);
    send(endpoint, now, effects);
  }

  private void send(Endpoint endpoint, long now, List<CallEffect> effects) {
    if (attempts == ATTEMPTS_MAX) {
      fail(ATTEMPTS_MAX + " attempts were in vain, the last: " + reason, effects);
      return;
    }
    int attempt = attempts++;
    outstanding.add(new Outstanding(attempt, endpoint, now, now + plan.attemptNanos()));
    effects.add(new CallEffect.Send(attempt, endpoint));
    boolean another = plan.otherReplicas() && hasNext();
    hedgeAtNanos = another && plan.hedgeNanos() > 0 ? now + plan.hedgeNanos() : NEVER;
    askAtNanos = another && plan.signNanos() > 0 ? now + plan.signNanos() : NEVER;
  }

  /** Sends a call on when a replica gives no sign of life, whatever is left of the budget. */
  private void heard(CallEvent.Sign sign, long now, List<CallEffect> effects) {
    for (Outstanding each : outstanding) {
      if (each.attempt == sign.attempt() && hasNext()) {
        if (sign.given()) {
          askAtNanos = now + (now - each.sentNanos);
        } else {
          budget.retried();
          sendNext(now, effects);
        }
        return;
      }
    }
  }

  private void replied(CallEvent.Replied event, long now, List<CallEffect> effects) {
    if (!remove(event.attempt())) {
      return;
    }
    CallReply reply = event.reply();
    switch (reply.status()) {
      case RESULT, REFUSED -> {
        effects.add(new CallEffect.Answer(event.attempt(), reply));
        finish(effects);
      }
      case REJECTED -> {
        rejected = true;
        unanswered("it was rejected: " + CallTexts.reason(reply), now, effects);
      }
      case ROLLED_BACK -> {
        rolledBack = true;
        unanswered("the service failed: " + CallTexts.reason(reply), now, effects);
      }
      case FAILED -> {
        mayHaveRun = true;
        fail("the service failed: " + CallTexts.reason(reply), effects);
      }
      case FORGOTTEN -> {
        forgotten = true;
        fail(CallTexts.reason(reply), effects);
      }
      case WITHDRAWN -> {
        effects.add(new CallEffect.Fail(Outcome.NOT_EXECUTED, CallTexts.reason(reply)));
        finish(effects);
      }
      case NOT_PRIMARY, DRAINING, UNAVAILABLE, IN_DOUBT -> {
        mayHaveRun |= reply.status() == CallReply.Status.IN_DOUBT;
        unanswered(CallTexts.reason(reply), now, effects);
      }
    }
  }

  private void lost(CallEvent.Lost event, long now, List<CallEffect> effects) {
    if (remove(event.attempt())) {
      mayHaveRun |= event.executed();
      unanswered(event.reason(), now, effects);
    }
  }

  private boolean remove(int attempt) {
    return outstanding.removeIf(each -> each.attempt == attempt);
  }

  private void unanswered(String why, long now, List<CallEffect> effects) {
    reason = why;
    hedgeAtNanos = NEVER;
    askAtNanos = NEVER;
    if (plan.otherReplicas() && hasNext()) {
      budget.retried();
      sendNext(now, effects);
    } else if (outstanding.isEmpty()) {
      recover(now, effects);
    }
  }

  /**
   * No attempt is under way, and no candidate is left. What refuses the call for good ends one that
   * cannot have run; the doubt of another is ended by its reply alone, so it is sent again.
   */
  private void recover(long now, List<CallEffect> effects) {
    if ((rejected || rolledBack) && !mayHaveRun) {
      fail(reason, effects);
    } else if (resolving || isWaiting()) {
      return;
    } else if (lookups < (plan.otherReplicas() ? 1 : LOOKUPS_BEFORE_WAIT)) {
      resolve(effects);
    } else {
      await(now);
    }
  }

  private void resolve(List<CallEffect> effects) {
    lookups++;
    resolving = true;
    effects.add(new CallEffect.Resolve());
  }

  private void await(long now) {
    long patience =
        plan.otherReplicas()
            ? Math.min(LONGEST_WAIT_NANOS, FIRST_WAIT_NANOS << Math.min(waits, 10))
            : BASELINE_WAIT_NANOS;
    waits++;
    waited = true;
    retryAtNanos = now + patience;
  }

  private void resolved(Candidates answer, long now, List<CallEffect> effects) {
    resolving = false;
    boolean fresh = waited || hasUntried(answer);
    if (!answer.order().isEmpty() && answer.version() >= candidates.version()) {
      candidates = answer;
    }
    if (!outstanding.isEmpty()) {
      return;
    }
    boolean again = plan.otherReplicas() ? fresh : true;
    if (candidates.order().isEmpty() || !again) {
      recover(now, effects);
    } else {
      waited = false;
      if (attempts > 0) {
        budget.retried();
      }
      sweep(now, effects);
    }
  }

  private boolean hasUntried(Candidates answer) {
    return !tried.containsAll(answer.order());
  }

  private void noticed(Candidates notice, long now, List<CallEffect> effects) {
    if (!plan.promptNotice() || notice.version() <= candidates.version()) {
      return;
    }
    boolean newPrimary = !notice.primary().equals(candidates.primary());
    candidates = notice;
    next = 0;
    if (notice.order().isEmpty()) {
      return;
    }
    if (outstanding.isEmpty()) {
      lookups = 0;
      sweep(now, effects);
    } else if (newPrimary) {
      Endpoint first = notice.order().getFirst();
      if (!isOutstanding(first)) {
        tried.add(first);
        send(first, now, effects);
      }
    }
  }

  private void tick(long now, List<CallEffect> effects) {
    if (now >= plan.deadlineNanos()) {
      fail("its deadline passed; before that, " + reason, effects);
      return;
    }
    for (Outstanding each : List.copyOf(outstanding)) {
      if (now >= each.untilNanos && !finished) {
        remove(each.attempt);
        mayHaveRun = true;
        effects.add(new CallEffect.Abandon(each.attempt, true));
        unanswered("replica " + each.endpoint.replica() + " gave no reply in time", now, effects);
      }
    }
    if (!finished && now >= hedgeAtNanos) {
      hedgeAtNanos = NEVER;
      if (hasNext() && budget.mayHedge()) {
        sendNext(now, effects);
      }
    }
    if (!finished && now >= askAtNanos) {
      askAtNanos = NEVER;
      if (hasNext() && !outstanding.isEmpty()) {
        effects.add(new CallEffect.AskForSign(outstanding.getLast().attempt));
      }
    }
    if (!finished && now >= retryAtNanos) {
      retryAtNanos = NEVER;
      lookups = 0;
      if (!resolving) {
        resolve(effects);
      }
    }
  }

  private void fail(String why, List<CallEffect> effects) {
    effects.add(new CallEffect.Fail(outcome(), why));
    finish(effects);
  }

  private Outcome outcome() {
    if (mayHaveRun || !outstanding.isEmpty() || plan.keyed()) {
      return Outcome.UNKNOWN;
    }
    return rolledBack ? Outcome.ROLLED_BACK : Outcome.NOT_EXECUTED;
  }

  /** Whether a replica said that the client's lease is over. */
  boolean isForgotten() {
    return forgotten;
  }

  private void finish(List<CallEffect> effects) {
    finished = true;
    for (Outstanding each : outstanding) {
      effects.add(new CallEffect.Abandon(each.attempt, false));
    }
    outstanding.clear();
    hedgeAtNanos = NEVER;
    askAtNanos = NEVER;
    retryAtNanos = NEVER;
  }
}
