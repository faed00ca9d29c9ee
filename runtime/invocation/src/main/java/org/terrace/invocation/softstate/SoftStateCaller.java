package org.terrace.invocation.softstate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/**
 * The calls of one client to one soft-state service: updates to every replica, reads to the
 * fastest. {@link FrontEnd} decides; this class has the channels, the threads and the timer.
 *
 * <p>Thread-safe. A call blocks its thread; each message is sent, and its reply awaited, on a
 * virtual thread of its own.
 */
public final class SoftStateCaller implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration HEALTH_PROBE_TIMEOUT = Duration.ofSeconds(2);

  /** A call that a thread waits for. */
  private static final class Waiting {
    final CallRequest request;
    final long deadlineNanos;
    final long startNanos;
    final List<CallStep> steps = new ArrayList<>();
    final Map<String, Long> open = new LinkedHashMap<>();
    final CompletableFuture<CallReply> result = new CompletableFuture<>();
    final Map<String, CallReply> replies = new ConcurrentHashMap<>();
    volatile String problem = "no replica is known";
    @Nullable ScheduledFuture<?> wake;

    Waiting(CallRequest request, long startNanos, long deadlineNanos) {
      this.request = request;
      this.startNanos = startNanos;
      this.deadlineNanos = deadlineNanos;
    }

    synchronized void asked(String replica, long nowNanos) {
      open.put(replica, nowNanos);
    }

    synchronized void ended(String replica, CallStep.Ending ending, String detail, long nowNanos) {
      Long asked = open.remove(replica);
      if (asked != null) {
        steps.add(
            new CallStep.Attempt(
                replica, asked - startNanos, 0, 0, 0, nowNanos - asked, ending, detail));
      }
    }

    /** The questions to replicas, in order; replicas that have not answered were overtaken. */
    synchronized List<CallStep> steps(long nowNanos) {
      List.copyOf(open.keySet())
          .forEach(replica -> ended(replica, CallStep.Ending.OVERTAKEN, "", nowNanos));
      steps.sort(Comparator.comparingLong(CallStep::startNanos));
      return List.copyOf(steps);
    }
  }

  private final String service;
  private final TimeSource time;
  private final ReplicaChannels channels;
  private final ReentrantLock lock = new ReentrantLock();
  private final FrontEnd frontEnd;
  private final Map<RequestIdentity, Waiting> waiting = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor timer;
  private final ScheduledFuture<?> healthProbeTimer;
  private final long healthProbeClient;
  private final AtomicLong healthProbes = new AtomicLong();
  private long version = -1;

  /**
   * Opens the way to a service.
   *
   * @param client the client's number, for health probes
   */
  public SoftStateCaller(
      ServiceReference reference,
      long client,
      ReplicaChannels.Connector connector,
      SoftStateOptions options,
      TimeSource time) {
    this.service = reference.service();
    this.time = time;
    this.channels = new ReplicaChannels(connector, CONNECT_TIMEOUT);
    this.frontEnd = new FrontEnd(options);
    this.healthProbeClient = ~client;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("soft-state-timer").factory());
    timer.setRemoveOnCancelPolicy(true);
    update(reference);
    long periodNanos = options.healthProbePeriod().toNanos();
    healthProbeTimer = timer.scheduleAtFixedRate(this::probe, 0, periodNanos, TimeUnit.NANOSECONDS);
  }

  /** Begins a round of health probes; thrown on, an error would end the rounds for ever. */
  private void probe() {
    try {
      step(new FrontEndEvent.HealthProbesDue());
    } catch (RuntimeException | Error e) {
      System.err.println("a round of health probes failed, and the next will come: " + e);
    }
  }

  /** Takes a newer reference of the service; an older one is passed over. */
  public void update(ServiceReference reference) {
    lock.lock();
    try {
      if (reference.version() <= version) {
        return;
      }
      version = reference.version();
      channels.set(reference.endpoints());
    } finally {
      lock.unlock();
    }
    step(
        new FrontEndEvent.ReplicasChanged(
            reference.endpoints().stream().map(Endpoint::replica).toList()));
    step(new FrontEndEvent.HealthProbesDue());
  }

  /**
   * Makes a call and waits for its reply: RESULT, REFUSED or FAILED of one replica, or what the
   * last said after all have declined.
   *
   * @param steps where the attempts to get an answer go
   * @throws InvocationException if there was no reply in time
   */
  public CallReply call(
      CallRequest request, boolean isUpdate, Duration timeout, List<CallStep> steps) {
    long startNanos = time.elapsedNanos();
    long deadlineNanos = startNanos + timeout.toNanos();
    Waiting call = new Waiting(request, startNanos, deadlineNanos);
    waiting.put(request.identity(), call);
    try {
      step(new FrontEndEvent.Begun(request.identity(), isUpdate, deadlineNanos));
      return call.result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InvocationException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InvocationException(
          isUpdate ? Outcome.UNKNOWN : Outcome.NOT_EXECUTED, "The caller was interrupted.", e);
    } finally {
      waiting.remove(request.identity());
      steps.addAll(call.steps(time.elapsedNanos()));
    }
  }

  /** The counts of all that this caller has done so far. */
  public SoftStateCounters counters() {
    lock.lock();
    try {
      return frontEnd.counters();
    } finally {
      lock.unlock();
    }
  }

  /** The replicas that reads would go to now, the fastest first. */
  public List<String> fastest() {
    lock.lock();
    try {
      return frontEnd.replicas.fastest(time.elapsedNanos());
    } finally {
      lock.unlock();
    }
  }

  private void step(FrontEndEvent event) {
    List<FrontEndEffect> effects;
    lock.lock();
    try {
      effects = frontEnd.step(event, time.elapsedNanos());
    } finally {
      lock.unlock();
    }
    effects.forEach(this::perform);
  }

  private void perform(FrontEndEffect effect) {
    switch (effect) {
      case FrontEndEffect.Send(RequestIdentity identity, String replica, boolean answers) -> {
        Waiting call = waiting.get(identity);
        if (call != null) {
          Thread.startVirtualThread(() -> send(call, replica, answers));
        }
      }
      case FrontEndEffect.SendHealthProbe(String replica) ->
          Thread.startVirtualThread(() -> sendHealthProbe(replica));
      case FrontEndEffect.Wake(RequestIdentity identity, long atNanos) -> wake(identity, atNanos);
      case FrontEndEffect.Finish(RequestIdentity identity, String replica) -> {
        Waiting call = end(identity);
        if (call != null) {
          call.result.complete(call.replies.get(replica));
        }
      }
      case FrontEndEffect.GiveUp(RequestIdentity identity, Outcome outcome) -> {
        Waiting call = end(identity);
        if (call != null) {
          call.result.completeExceptionally(
              new InvocationException(
                  outcome,
                  service + "." + call.request.method() + ": no reply in time; " + call.problem,
                  null));
        }
      }
    }
  }

  private @Nullable Waiting end(RequestIdentity identity) {
    Waiting call = waiting.remove(identity);
    if (call != null) {
      synchronized (call) {
        if (call.wake != null) {
          call.wake.cancel(false);
        }
      }
    }
    return call;
  }

  private void wake(RequestIdentity identity, long atNanos) {
    Waiting call = waiting.get(identity);
    if (call != null && !timer.isShutdown()) {
      long delayNanos = Math.max(0, atNanos - time.elapsedNanos());
      synchronized (call) {
        if (call.wake != null) {
          call.wake.cancel(false);
        }
        call.wake =
            timer.schedule(
                () -> step(new FrontEndEvent.Woken(identity)), delayNanos, TimeUnit.NANOSECONDS);
      }
    }
  }

  private void send(Waiting call, String replica, boolean answers) {
    RequestIdentity identity = call.request.identity();
    if (answers) {
      call.asked(replica, time.elapsedNanos());
    }
    try {
      CallChannel channel = channels.get(replica);
      Duration remaining = Duration.ofNanos(Math.max(1, call.deadlineNanos - time.elapsedNanos()));
      CallReply reply =
          channel.call(
              new CallRequest(
                  call.request.service(),
                  call.request.method(),
                  identity,
                  call.request.firstIncomplete(),
                  remaining.toNanos(),
                  answers,
                  call.request.arguments()),
              remaining);
      if (answers) {
        call.replies.put(replica, reply);
        call.problem = replica + " replied " + reply.status();
        call.ended(replica, ending(reply.status()), "", time.elapsedNanos());
        step(new FrontEndEvent.Replied(identity, replica, isConclusive(reply)));
      }
    } catch (ReplicaChannels.UnreachableException e) {
      failed(call, replica, answers, false, e);
    } catch (CallFailedException e) {
      failed(call, replica, answers, e.executed(), e);
    }
  }

  private static CallStep.Ending ending(CallReply.Status status) {
    return switch (status) {
      case RESULT -> CallStep.Ending.ANSWERED;
      case REFUSED -> CallStep.Ending.REFUSED;
      case FAILED, ROLLED_BACK, UNAVAILABLE, IN_DOUBT -> CallStep.Ending.FAILED;
      case REJECTED, FORGOTTEN, WITHDRAWN -> CallStep.Ending.REJECTED;
      case NOT_PRIMARY -> CallStep.Ending.NOT_PRIMARY;
      case DRAINING -> CallStep.Ending.DRAINING;
    };
  }

  private static boolean isConclusive(CallReply reply) {
    return switch (reply.status()) {
      case RESULT, REFUSED, FAILED, ROLLED_BACK, IN_DOUBT -> true;
      case REJECTED, NOT_PRIMARY, DRAINING, UNAVAILABLE, FORGOTTEN, WITHDRAWN -> false;
    };
  }

  private void failed(
      Waiting call, String replica, boolean answers, boolean mayHaveRun, Exception cause) {
    RequestIdentity identity = call.request.identity();
    call.problem = replica + ": " + cause.getMessage();
    if (answers) {
      call.ended(
          replica,
          mayHaveRun ? CallStep.Ending.LOST : CallStep.Ending.NOT_SENT,
          String.valueOf(cause.getMessage()),
          time.elapsedNanos());
    }
    step(
        answers
            ? new FrontEndEvent.Failed(identity, replica, mayHaveRun)
            : new FrontEndEvent.CopyFailed(identity, replica, mayHaveRun));
  }

  private void sendHealthProbe(String replica) {
    RequestIdentity identity =
        new RequestIdentity(healthProbeClient, healthProbes.incrementAndGet());
    CallRequest healthProbe =
        CallRequest.control(
            CallRequest.Kind.PROBE_HEALTH, service, identity, HEALTH_PROBE_TIMEOUT.toNanos());
    try {
      CallReply reply = channels.get(replica).call(healthProbe, HEALTH_PROBE_TIMEOUT);
      boolean behind = isConclusive(reply) && reply.body().length > 0 && reply.body()[0] != 0;
      step(new FrontEndEvent.HealthProbeAnswered(replica, behind));
    } catch (ReplicaChannels.UnreachableException | CallFailedException e) {
      step(new FrontEndEvent.HealthProbeFailed(replica));
    }
  }

  /** Closes the channels; calls under way fail. */
  @Override
  public void close() {
    healthProbeTimer.cancel(false);
    timer.shutdownNow();
    channels.close();
    for (Waiting call : waiting.values()) {
      call.result.completeExceptionally(
          new InvocationException(Outcome.UNKNOWN, "The client was closed.", null));
    }
  }
}
