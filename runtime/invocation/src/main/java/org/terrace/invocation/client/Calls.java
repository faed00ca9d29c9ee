package org.terrace.invocation.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.ClientOptions;
import org.terrace.invocation.Probes;
import org.terrace.invocation.Profile;
import org.terrace.invocation.ServiceReference;
import org.terrace.invocation.method.RehearsalCalls;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.invocation.middleware.CallReply;
import org.terrace.invocation.middleware.CallRequest;

/** The calls of one client. Thread-safe. */
public final class Calls {
  private static final long HEDGE_MIN_NANOS = 2_000_000L;
  private static final long ATTEMPT_NANOS = 5_000_000_000L;
  private static final int REHEARSALS = 100;
  private static final long REHEARSAL_NANOS = 500_000_000L;

  private final ClientOptions options;
  private final TimeSource time = TimeSource.system();
  private final ReplicaLinks links;
  private final Map<String, ServiceView> views = new ConcurrentHashMap<>();
  private final AttemptLog log;

  @GuardedBy("incomplete")
  private final TreeSet<Long> incomplete = new TreeSet<>();

  @GuardedBy("incomplete")
  private long sequences;

  private volatile boolean closed;

  /** The calls of a client with these options. */
  public Calls(ClientOptions options) {
    this.options = options;
    log = new AttemptLog(options.attemptLogSize());
    links = new ReplicaLinks(options, time, this::refresh);
    links.start();
  }

  /** Begins to follow a service: with warm connections, its replicas are connected soon. */
  public void follow(String service) {
    view(service);
  }

  private ServiceView view(String service) {
    ServiceView known = views.get(service);
    if (known != null) {
      return known;
    }
    ServiceView fresh = new ServiceView(service, options.naming(), options.failOver(), links);
    ServiceView other = views.putIfAbsent(service, fresh);
    if (other != null) {
      return other;
    }
    fresh.start();
    if (options.failOver().warmConnections()) {
      Thread.ofVirtual().name("terrace-warm").start(() -> warm(fresh));
    }
    return fresh;
  }

  private void warm(ServiceView view) {
    refresh(view);
    ServiceReference reference = view.reference();
    if (reference != null) {
      reference.profiles().forEach(profile -> links.warm(profile));
      rehearse(view);
    }
  }

  /** Takes the way of a call that is handed over and hedged, which few calls take. */
  private void rehearse(ServiceView view) {
    long end = time.elapsedNanos() + REHEARSAL_NANOS;
    for (int i = 1; i <= REHEARSALS && time.elapsedNanos() < end && !closed; i++) {
      RequestIdentity identity = new RequestIdentity(options.client(), i);
      CallRequest request = RehearsalCalls.request(view.service(), identity, REHEARSAL_NANOS);
      CallPlan plan =
          new CallPlan(
              options.failOver().otherReplicas(),
              options.failOver().promptNotice(),
              options.hedging() ? 1 : 0,
              REHEARSAL_NANOS,
              end);
      CallRun run =
          new CallRun(view, links, CallKind.REHEARSAL, request, plan, 0, time, time.elapsedNanos());
      if (run.run() == null) {
        return;
      }
    }
  }

  private void refresh() {
    views.values().forEach(this::refresh);
    Set<Profile> named = new HashSet<>();
    for (ServiceView view : views.values()) {
      ServiceReference reference = view.reference();
      if (reference != null) {
        named.addAll(reference.profiles());
        reference.profiles().forEach(profile -> links.rehearse(profile, view.service()));
      }
    }
    links.retain(named);
  }

  private void refresh(ServiceView view) {
    try {
      String answer = view.resolve();
      assert !answer.isEmpty();
    } catch (RuntimeException namingIsAway) {
      // The reference at hand stays good; the next round asks again, and so does a call in need.
    }
  }

  /** The reply to a call: RESULT or REFUSED. */
  public CallReply call(String service, ServiceMethod method, byte[] arguments) {
    if (closed) {
      throw new IllegalStateException("The client is closed.");
    }
    Probes probes = options.probes();
    long issued = time.epochNanos();
    long start = time.elapsedNanos();
    long sequence;
    long firstIncomplete;
    synchronized (incomplete) {
      sequence = ++sequences;
      incomplete.add(sequence);
      firstIncomplete = incomplete.first();
    }
    ServiceView view = view(service);
    RequestIdentity identity = new RequestIdentity(options.client(), sequence);
    CallRequest request =
        new CallRequest(
            service,
            method.wireName(),
            identity,
            firstIncomplete,
            options.deadline().toNanos(),
            true,
            arguments);
    CallPlan plan = plan(view, start);
    CallRun run =
        new CallRun(
            view,
            links,
            CallKind.of(method),
            request,
            plan,
            options.hedgeMax().toNanos(),
            time,
            start);
    @Nullable CallReply reply = null;
    try {
      reply = run.run();
    } finally {
      synchronized (incomplete) {
        incomplete.remove(sequence);
      }
      long end = time.elapsedNanos();
      log.add(
          new CallRecord(
              identity,
              service,
              method.name(),
              issued,
              end - start,
              run.outcome(),
              run.steps(end)));
      if (reply != null) {
        view.latencies().add(end - start);
      }
      if (probes != null) {
        probes.add(
            identity,
            method.name(),
            issued,
            issued + (end - start),
            arguments.length,
            reply == null ? 0 : reply.body().length,
            reply == null ? "ABORTED" : outcome(reply));
      }
    }
    if (reply == null) {
      throw run.exception();
    }
    return reply;
  }

  private static String outcome(CallReply reply) {
    return reply.status() == CallReply.Status.RESULT ? "OK" : "ERROR";
  }

  private CallPlan plan(ServiceView view, long start) {
    boolean other = options.failOver().otherReplicas();
    long hedge = 0;
    if (options.hedging() && other) {
      long p99 = view.latencies().nanos();
      long max = options.hedgeMax().toNanos();
      hedge = p99 == 0 ? max : Math.min(max, Math.max(HEDGE_MIN_NANOS, p99));
    }
    return new CallPlan(
        other,
        options.failOver().promptNotice(),
        hedge,
        Math.min(ATTEMPT_NANOS, options.deadline().toNanos()),
        start + options.deadline().toNanos());
  }

  /** The last calls. */
  public List<CallRecord> attempts() {
    return log.records();
  }

  /** Closes all connections. */
  public void close() {
    closed = true;
    views.values().forEach(ServiceView::close);
    links.close();
  }
}
