package org.terrace.invocation.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.CallStep.Ending;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.PendingCall;

/**
 * Carries one call through: does what its {@link CallCore} says, on the caller's thread as long as
 * one attempt is under way, whose reply that thread then reads itself.
 */
final class CallRun {
  private final ServiceView view;
  private final ReplicaLinks links;
  private final CallKind kind;
  private final CallRequest request;
  private final CallPlan plan;
  private final TimeSource time;
  private final CallCore core;
  private final long startNanos;
  private final long inlineNanos;
  private final List<AttemptState> attempts = new ArrayList<>(2);
  private final List<CallStep> otherSteps = new ArrayList<>(0);
  private final LinkedBlockingQueue<CallEvent> events = new LinkedBlockingQueue<>();
  private final Consumer<ServiceView> listener = this::notice;
  private @Nullable AttemptState inline;
  private boolean listening;
  private long waitStartNanos;
  private @Nullable CallReply answer;
  private @Nullable Outcome failure;
  private String reason = "";
  private @Nullable Exception cause;

  CallRun(
      ServiceView view,
      ReplicaLinks links,
      HedgeBudget hedges,
      CallKind kind,
      CallRequest request,
      CallPlan plan,
      long inlineNanos,
      TimeSource time,
      long startNanos) {
    this.view = view;
    this.links = links;
    this.kind = kind;
    this.request = request;
    this.plan = plan;
    this.inlineNanos = inlineNanos;
    this.time = time;
    this.startNanos = startNanos;
    core = new CallCore(plan, hedges);
  }

  /** Whether an answer came of it; else {@link #exception}. */
  @Nullable CallReply run() {
    perform(new CallEvent.Begin(view.candidates(kind.update())));
    try {
      while (!core.isFinished()) {
        AttemptState awaited = inline;
        perform(awaited != null ? awaitInline(awaited) : awaitEvent());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp(e);
    } finally {
      if (listening) {
        view.removeListener(listener);
      }
    }
    return answer;
  }

  private void giveUp(InterruptedException e) {
    failure = attempts.isEmpty() && !plan.keyed() ? Outcome.NOT_EXECUTED : Outcome.UNKNOWN;
    reason = "the caller was interrupted";
    cause = e;
  }

  /** The request with the time that is left. */
  private CallRequest timed() {
    return request.withRemaining(Math.max(1, plan.deadlineNanos() - time.elapsedNanos()));
  }

  /** Whether it was not done because its client is known no more. */
  boolean isForgotten() {
    return core.isForgotten();
  }

  Outcome outcome() {
    return failure == null ? Outcome.DONE : failure;
  }

  InvocationException exception() {
    return new InvocationException(
        outcome(),
        "Call "
            + request.identity()
            + " of "
            + view.service()
            + "."
            + kind.name()
            + switch (outcome()) {
              case UNKNOWN -> " may have been done: ";
              case ROLLED_BACK -> " was rolled back: ";
              case NOT_EXECUTED, DONE -> " was not done: ";
            }
            + reason,
        cause);
  }

  List<CallStep> steps(long nowNanos) {
    if (attempts.size() == 1 && otherSteps.isEmpty()) {
      return List.of(attempts.getFirst().toStep(startNanos, nowNanos));
    }
    List<CallStep> steps = new ArrayList<>(otherSteps);
    attempts.forEach(attempt -> steps.add(attempt.toStep(startNanos, nowNanos)));
    steps.sort(Comparator.comparingLong(CallStep::startNanos));
    return steps;
  }

  private CallEvent awaitInline(AttemptState attempt) {
    PendingCall pending = Objects.requireNonNull(attempt.pending);
    long now = time.elapsedNanos();
    long patience = Math.min(core.nextTickNanos(), attempt.sentNanos + inlineNanos) - now;
    try {
      CallReply reply = patience <= 0 ? null : pending.await(patience);
      if (reply != null) {
        inline = null;
        return new CallEvent.Replied(attempt.number, reply);
      }
      if (time.elapsedNanos() >= attempt.sentNanos + inlineNanos) {
        handOver();
      }
      return new CallEvent.Tick();
    } catch (CallFailedException e) {
      inline = null;
      return lost(attempt.number, e);
    }
  }

  private CallEvent awaitEvent() throws InterruptedException {
    long patience = core.nextTickNanos() - time.elapsedNanos();
    CallEvent event = events.poll(Math.max(0, patience), TimeUnit.NANOSECONDS);
    return event == null ? new CallEvent.Tick() : event;
  }

  private void perform(CallEvent first) {
    CallEvent event = first;
    while (event != null) {
      noteEnding(event);
      boolean waited = core.isWaiting();
      List<CallEffect> effects = core.step(event, time.elapsedNanos());
      noteWait(waited, event instanceof CallEvent.Noticed);
      event = null;
      for (CallEffect effect : effects) {
        CallEvent next = perform(effect);
        if (next != null && event != null) {
          events.add(next);
        } else if (next != null) {
          event = next;
        }
      }
    }
  }

  private @Nullable CallEvent perform(CallEffect effect) {
    switch (effect) {
      case CallEffect.Send send -> {
        return send(send);
      }
      case CallEffect.Resolve _ -> {
        return resolve();
      }
      case CallEffect.Abandon abandon -> {
        abandon(abandon);
        return null;
      }
      case CallEffect.AskForSign ask -> {
        askForSign(ask.attempt());
        return null;
      }
      case CallEffect.Answer answered -> {
        answer = answered.reply();
        return null;
      }
      case CallEffect.Fail fail -> {
        failure = fail.outcome();
        reason = fail.reason();
        return null;
      }
    }
  }

  private @Nullable CallEvent send(CallEffect.Send send) {
    AttemptState attempt = new AttemptState(send.attempt(), send.endpoint(), time.elapsedNanos());
    attempts.add(attempt);
    ReplicaLink link = links.get(send.endpoint());
    boolean alone = attempts.size() == 1 || !hasOpenAttempt(attempt);
    if (!alone) {
      handOver();
    }
    boolean patient = alone && plan.hedgeNanos() == 0 && !core.goesToAll();
    CallEvent failed = patient ? connectAndBegin(attempt, link) : beginAtOnce(attempt, link);
    if (failed != null) {
      return failed;
    } else if (attempt.pending == null) {
      listen();
      Thread.ofVirtual().name("terrace-attempt").start(() -> attemptAside(attempt, link));
    } else if (alone && !core.goesToAll()) {
      inline = attempt;
    } else {
      detach(attempt);
    }
    return null;
  }

  private boolean hasOpenAttempt(AttemptState except) {
    return attempts.stream().anyMatch(each -> each != except && each.ending == null);
  }

  /**
   * Writes the request if a connection is there to take it; no event and nothing pending if not. A
   * process that is being taken down accepts connections for milliseconds yet, so only a call that
   * can do nothing else meanwhile may wait for one.
   */
  private @Nullable CallEvent beginAtOnce(AttemptState attempt, ReplicaLink link) {
    CallChannel channel = link.current();
    if (channel == null) {
      return null;
    }
    attempt.sendStartNanos = time.elapsedNanos();
    try {
      attempt.pending = channel.beginAtOnce(timed());
      attempt.sentNanos = time.elapsedNanos();
      return null;
    } catch (CallFailedException e) {
      return lost(attempt.number, e);
    }
  }

  private void attemptAside(AttemptState attempt, ReplicaLink link) {
    CallEvent failed = connectAndBegin(attempt, link);
    if (failed != null) {
      events.add(failed);
    } else {
      detach(attempt);
    }
  }

  /** Connects if need be and writes the request; null if it is on its way. */
  private @Nullable CallEvent connectAndBegin(AttemptState attempt, ReplicaLink link) {
    try {
      long left = plan.deadlineNanos() - time.elapsedNanos();
      ReplicaLink.Opened opened = link.open(Math.clamp(left, 1, plan.attemptNanos()));
      attempt.connectNanos = opened.connectNanos();
      attempt.restoreNanos = opened.restoreNanos();
      attempt.sendStartNanos = time.elapsedNanos();
      attempt.pending = opened.channel().begin(timed());
      attempt.sentNanos = time.elapsedNanos();
      return null;
    } catch (CallFailedException e) {
      return lost(attempt.number, e);
    } catch (IOException e) {
      return new CallEvent.Lost(attempt.number, false, false, String.valueOf(e.getMessage()));
    }
  }

  private CallEvent.Lost lost(int attempt, CallFailedException e) {
    return new CallEvent.Lost(attempt, e.executed(), e.timedOut(), String.valueOf(e.getMessage()));
  }

  /** Lets another thread read the reply, since this one has more to wait for. */
  private void handOver() {
    listen();
    AttemptState attempt = inline;
    if (attempt != null) {
      inline = null;
      detach(attempt);
    }
  }

  private void detach(AttemptState attempt) {
    Objects.requireNonNull(attempt.pending)
        .detach(
            new PendingCall.Sink() {
              @Override
              public void replied(CallReply reply) {
                events.add(new CallEvent.Replied(attempt.number, reply));
              }

              @Override
              public void failed(CallFailedException e) {
                events.add(lost(attempt.number, e));
              }
            });
  }

  private void listen() {
    if (!listening) {
      listening = true;
      view.addListener(listener);
    }
  }

  private void notice(ServiceView changed) {
    events.add(new CallEvent.Noticed(changed.candidates(kind.update())));
  }

  private CallEvent resolve() {
    long start = time.elapsedNanos();
    String said;
    try {
      said = view.resolve();
    } catch (RuntimeException e) {
      said = "failed: " + e.getMessage();
      cause = e;
    }
    otherSteps.add(new CallStep.Lookup(start - startNanos, time.elapsedNanos() - start, said));
    listen();
    return new CallEvent.Resolved(view.candidates(kind.update()));
  }

  private void askForSign(int attempt) {
    handOver();
    ReplicaLink link = links.get(attempts.get(attempt).endpoint);
    Thread.ofVirtual()
        .name("terrace-sign")
        .start(() -> events.add(new CallEvent.Sign(attempt, link.givesSign())));
  }

  private void abandon(CallEffect.Abandon abandon) {
    AttemptState attempt = attempts.get(abandon.attempt());
    Ending how = abandon.timedOut() ? Ending.TIMED_OUT : Ending.OVERTAKEN;
    attempt.end(how, "", time.elapsedNanos());
    if (!kind.warmUp()) {
      links.get(attempt.endpoint).suspect();
    }
    if (inline == attempt) {
      handOver();
    }
    PendingCall pending = attempt.pending;
    if (pending != null && !kind.update()) {
      pending.abandon();
    }
  }

  private void noteWait(boolean waitedBefore, boolean noticed) {
    boolean waits = core.isWaiting();
    if (waits && !waitedBefore) {
      waitStartNanos = time.elapsedNanos();
    } else if (!waits && waitedBefore) {
      otherSteps.add(
          new CallStep.Wait(
              waitStartNanos - startNanos, time.elapsedNanos() - waitStartNanos, noticed));
    }
  }

  private void noteEnding(CallEvent event) {
    switch (event) {
      case CallEvent.Replied replied -> {
        AttemptState attempt = attempts.get(replied.attempt());
        attempt.end(replied.reply(), time.elapsedNanos());
        if (attempt.ending == Ending.DRAINING) {
          links.get(attempt.endpoint).suspect();
        }
      }
      case CallEvent.Lost lost -> {
        Ending how =
            lost.timedOut() ? Ending.TIMED_OUT : lost.executed() ? Ending.LOST : Ending.NOT_SENT;
        attempts.get(lost.attempt()).end(how, lost.reason(), time.elapsedNanos());
        links.get(attempts.get(lost.attempt()).endpoint).suspect();
      }
      case CallEvent.Begin _, CallEvent.Sign _ -> {}
      case CallEvent.Resolved _, CallEvent.Noticed _, CallEvent.Tick _ -> {}
    }
  }
}
