package org.terrace.invocation.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallKey;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Probes;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.invocation.softstate.SoftStateCaller;
import org.terrace.invocation.softstate.SoftStateCounters;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/** The calls of one client. Thread-safe. */
final class Calls {
  private static final long HEDGE_MIN_NANOS = 2_000_000L;
  private static final long OVERLOAD_FACTOR = 2;
  private static final long ATTEMPT_NANOS = 5_000_000_000L;
  private static final int WARM_UPS = 100;
  private static final long WARM_UP_NANOS = 500_000_000L;

  private final ClientOptions options;
  private final TimeSource time = TimeSource.system();
  private final ReplicaLinks links;
  private final Map<String, ServiceView> views = new ConcurrentHashMap<>();
  private final AttemptLog log;

  private final ClientIdentity identity = new ClientIdentity();
  private final HedgeBudget hedges;
  private final SoftStateCalls softState;

  private volatile boolean closed;

  /** The calls of a client with these options. */
  public Calls(ClientOptions options) {
    this.options = options;
    log = new AttemptLog(options.attemptLogSize());
    hedges = new HedgeBudget(options.hedgeShareMax());
    links = new ReplicaLinks(options, identity, time, this::refresh);
    softState = new SoftStateCalls(options, identity, time);
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
    if (reference != null && SoftStateCalls.serves(reference)) {
      warmSoftState(view, reference);
    } else if (reference != null) {
      reference.endpoints().forEach(endpoint -> links.warm(endpoint));
      warmUp(view);
    }
  }

  private synchronized void warmSoftState(ServiceView view, ServiceReference reference) {
    if (!closed) {
      softState.caller(view, reference);
    }
  }

  /** Takes the way of a call that is handed over and hedged, which few calls take. */
  private void warmUp(ServiceView view) {
    long end = time.elapsedNanos() + WARM_UP_NANOS;
    for (int i = 1; i <= WARM_UPS && time.elapsedNanos() < end && !closed; i++) {
      RequestIdentity identity = new RequestIdentity(this.identity.getAsLong(), i);
      CallRequest request =
          CallRequest.control(CallRequest.Kind.WARM_UP, view.service(), identity, WARM_UP_NANOS);
      CallPlan plan =
          new CallPlan(
              options.failOver().otherReplicas(),
              options.failOver().promptNotice(),
              options.hedgeShareMax() > 0 ? 1 : 0,
              0,
              WARM_UP_NANOS,
              end,
              false);
      CallRun run =
          new CallRun(
              view,
              links,
              new HedgeBudget(1),
              CallKind.WARM_UP,
              request,
              plan,
              0,
              time,
              time.elapsedNanos());
      if (run.run() == null) {
        return;
      }
    }
  }

  private void refresh() {
    views.values().forEach(this::refresh);
    Set<Endpoint> named = new HashSet<>();
    for (ServiceView view : views.values()) {
      ServiceReference reference = view.reference();
      if (reference != null && !SoftStateCalls.serves(reference)) {
        named.addAll(reference.endpoints());
        warmUp(view.service(), reference);
      }
    }
    links.retain(named);
  }

  private void warmUp(String service, ServiceReference reference) {
    try {
      reference.endpoints().forEach(endpoint -> links.warmUp(endpoint, service));
    } catch (RuntimeException middlewareIsMissing) {
      // Its calls say so; the other services are kept warm, and the client known to them.
    }
  }

  private void refresh(ServiceView view) {
    try {
      String answer = view.resolve();
      assert !answer.isEmpty();
    } catch (RuntimeException namingIsAway) {
      // The reference at hand stays good; the next round asks again, and so does a call in need.
    }
  }

  /**
   * The reply to a call: RESULT or REFUSED. A call that was not done because the replicas have
   * forgotten the client is made once more, under a new number.
   */
  public CallReply call(String service, ServiceMethod method, byte[] arguments) {
    if (closed) {
      throw new IllegalStateException("The client is closed.");
    }
    long start = time.elapsedNanos();
    Done done = attempt(service, method, arguments, start);
    if (done.isRepeatable()) {
      done = attempt(service, method, arguments, start);
    }
    return replyOf(done);
  }

  /**
   * The reply to an update under its caller's key, or the one retained for it. It is never made
   * under another name.
   */
  CallReply call(
      String service, ServiceMethod method, byte[] arguments, CallKey key, CallRequest.Kind kind) {
    if (closed) {
      throw new IllegalStateException("The client is closed.");
    }
    if (!method.isUpdate()) {
      throw new IllegalArgumentException(
          "A key is an update's, and " + method.name() + " of " + service + " is a read.");
    }
    long start = time.elapsedNanos();
    CallRequest request =
        new CallRequest(
            kind,
            service,
            method.wireName(),
            key.identity(service),
            CallRequest.NONE_ACKNOWLEDGED,
            options.deadline().toNanos(),
            true,
            arguments);
    Done done = carryAndLog(method, request, start, start);
    if (done.forgotten) {
      throw new InvocationException(
          Outcome.UNKNOWN,
          "The retention of key "
              + key
              + " is over: "
              + service
              + "."
              + method.name()
              + " was not executed now, and whether it was before is not known any more.",
          null);
    }
    return replyOf(done);
  }

  private static CallReply replyOf(Done done) {
    if (done.reply == null) {
      throw Objects.requireNonNull(done.failure);
    }
    return done.reply;
  }

  private Done attempt(String service, ServiceMethod method, byte[] arguments, long start) {
    long begun = time.elapsedNanos();
    long left = Math.max(1, options.deadline().toNanos() - (begun - start));
    ClientIdentity.Incarnation incarnation = identity.current();
    RequestNumbers.Taken number = incarnation.numbers().take(left);
    RequestIdentity of = incarnation.of(number);
    left = Math.max(1, options.deadline().toNanos() - (time.elapsedNanos() - start));
    CallRequest request =
        new CallRequest(
            service, method.wireName(), of, number.firstIncomplete(), left, true, arguments);
    try {
      Done done = carryAndLog(method, request, start, begun);
      if (done.forgotten) {
        identity.renew(incarnation);
      }
      return done;
    } finally {
      incarnation.numbers().release(number.sequence());
    }
  }

  private Done carryAndLog(ServiceMethod method, CallRequest request, long start, long begun) {
    Probes probes = options.probes();
    long issued = time.epochNanos() - (time.elapsedNanos() - begun);
    Done done = Done.NOTHING;
    try {
      done = carry(view(request.service()), method, request, start);
      return done;
    } finally {
      long end = time.elapsedNanos();
      RequestIdentity of = request.identity();
      log.add(
          new CallRecord(
              of, request.service(), method.name(), issued, end - begun, done.outcome, done.steps));
      if (probes != null) {
        probes.add(
            of,
            method.name(),
            issued,
            issued + (end - begun),
            request.arguments().length,
            done.reply == null ? 0 : done.reply.body().length,
            done.reply == null ? "ABORTED" : outcome(done.reply));
      }
    }
  }

  /** The result of a call: a reply, or the reason why there is none. */
  private record Done(
      @Nullable CallReply reply,
      @Nullable RuntimeException failure,
      Outcome outcome,
      boolean forgotten,
      List<CallStep> steps) {
    static final Done NOTHING = new Done(null, null, Outcome.UNKNOWN, false, List.of());

    /** Whether it was certainly not done, for a reason that a new number removes. */
    boolean isRepeatable() {
      return forgotten && outcome == Outcome.NOT_EXECUTED;
    }
  }

  private Done carry(ServiceView view, ServiceMethod method, CallRequest request, long start) {
    if (view.reference() == null) {
      refresh(view);
    }
    ServiceReference reference = view.reference();
    if (reference != null && SoftStateCalls.serves(reference)) {
      if (request.isKeyed()) {
        throw new InvocationException(
            Outcome.UNKNOWN,
            request.service() + " is of soft state, and retains no replies under keys.",
            null);
      }
      return carrySoftState(view, reference, method, request);
    }
    hedges.earn();
    CallRun run =
        new CallRun(
            view,
            links,
            hedges,
            CallKind.of(method),
            request,
            plan(view, request, start),
            options.hedgeMax().toNanos(),
            time,
            start);
    CallReply reply = run.run();
    long end = time.elapsedNanos();
    if (reply != null) {
      view.latencies().add(end - start);
    }
    return new Done(
        reply,
        reply == null ? run.exception() : null,
        run.outcome(),
        run.isForgotten(),
        run.steps(end));
  }

  private Done carrySoftState(
      ServiceView view, ServiceReference reference, ServiceMethod method, CallRequest request) {
    List<CallStep> steps = new ArrayList<>();
    try {
      SoftStateCaller caller = softState.caller(view, reference);
      CallReply reply = softState.call(caller, method, request, steps);
      return new Done(reply, null, Outcome.DONE, false, steps);
    } catch (InvocationException e) {
      return new Done(null, e, e.outcome(), false, steps);
    }
  }

  /**
   * The counts of what was done for the calls to a service of soft state; none before the first.
   */
  public Optional<SoftStateCounters> softStateCounters(String service) {
    return softState.counters(service);
  }

  private static String outcome(CallReply reply) {
    return reply.status() == CallReply.Status.RESULT ? "OK" : "ERROR";
  }

  private CallPlan plan(ServiceView view, CallRequest request, long start) {
    boolean other = options.failOver().otherReplicas();
    long hedge =
        options.hedgeShareMax() > 0 && other
            ? hedgeNanos(view.latencies(), options.hedgeMax().toNanos())
            : 0;
    return new CallPlan(
        other,
        options.failOver().promptNotice(),
        hedge,
        hedge == 0 ? 0 : options.hedgeMax().toNanos(),
        Math.min(ATTEMPT_NANOS, options.deadline().toNanos()),
        start + options.deadline().toNanos(),
        request.isKeyed());
  }

  /**
   * The time after which a call is slow. Where most calls take longer than a hedge waits at most,
   * because replicas are overloaded or the work is long, a slow one is no sign of a replica that
   * hangs, and sending it twice would make it worse: there it must take twice as long as nearly
   * all.
   */
  static long hedgeNanos(LatencyEstimate latencies, long maxNanos) {
    long usual = latencies.nanos();
    if (latencies.medianNanos() > maxNanos) {
      return OVERLOAD_FACTOR * usual;
    }
    return usual == 0 ? maxNanos : Math.min(maxNanos, Math.max(HEDGE_MIN_NANOS, usual));
  }

  /** The client's present number. */
  long client() {
    return identity.getAsLong();
  }

  /** The last calls. */
  public List<CallRecord> attempts() {
    return log.records();
  }

  /** Closes all connections. */
  public synchronized void close() {
    closed = true;
    softState.close();
    views.values().forEach(ServiceView::close);
    links.close();
  }
}
