package org.terrace.invocation.server;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.launcher.Training;
import org.terrace.control.manager.ReplicaAgent;
import org.terrace.core.ErrorCode;
import org.terrace.core.HostLookup;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Execution;
import org.terrace.invocation.Probes;
import org.terrace.invocation.method.MethodTable;
import org.terrace.invocation.method.ServiceMethod;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;

/**
 * One replica of one or more services: it listens, and runs the calls that reach it. Thread-safe.
 */
public final class ServiceServer implements AutoCloseable {
  private static final TimeSource TIME = TimeSource.system();

  /** Enough for all but hung calls. */
  private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(10);

  private final ServerOptions options;
  private final Map<String, Export> exports = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> epochs = new ConcurrentHashMap<>();
  private final Map<String, ServiceReference> assigned = new ConcurrentHashMap<>();
  private final Semaphore calls;
  private final CallsUnderWay underWay = new CallsUnderWay(TIME);
  private final ClientSessions sessions;
  private final Executions executions;
  private final List<ReplicaAgent> agents = new CopyOnWriteArrayList<>();
  private final LongAdder answered = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private volatile boolean draining;
  private final Listener listener;
  private final WarmUps warmUps;
  private final ReplicaChecks checks;
  private final Health health;

  private ServiceServer(ServerOptions options, DatabaseWait databaseWait) throws IOException {
    this.options = options;
    calls = new Semaphore(options.callsMax());
    sessions = new ClientSessions(options.database(), options.failOver());
    executions = new Executions(options, databaseWait, sessions);
    listener = options.middleware().listen(HostLookup.first(options.address()), this::handle);
    warmUps =
        new WarmUps(
            options.middleware(), listener.endpoint(options.replica()), this::answered, TIME);
    checks =
        new ReplicaChecks(
            options, listener.endpoint(options.replica()), this::laterOfDatabaseAnswers);
    health = new Health(checks.ofThisReplica(), options.healthPatience(), TIME);
  }

  /**
   * A replica that listens and exports nothing yet. It waits for a database that is away first,
   * says so on standard error, and listens when there is one.
   *
   * @throws TerraceException if the address cannot be listened at, if it is none that others can
   *     connect to, if calls beyond loopback would travel in the clear while the control plane is
   *     encrypted, or if the database refuses or is away for longer than {@link
   *     ServerOptions#databasePatience()}
   */
  public static ServiceServer open(ServerOptions options) {
    ListeningAddress.check(options);
    try {
      DatabaseWait wait = new DatabaseWait(options, TIME, System.err::println);
      wait.awaitConnection();
      ServiceServer server = new ServiceServer(options, wait);
      wait.retry(server.sessions::prepare);
      return server;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Replica %s cannot start: %s. Choose another address, or port 0 for a free one."
              .formatted(options.replica(), e.getMessage()),
          e);
    }
  }

  /**
   * Offers a service under a name. With warm connections it is warmed up before this returns,
   * without a call of the implementation, so that the first call finds the code loaded.
   *
   * @throws IllegalArgumentException if a method is neither update nor read, or of a type that
   *     cannot travel; if the style is {@link Style#SOFT_STATE} and the options do not say where
   *     updates take effect; or if it has several replicas and updates, and no database that the
   *     replicas share
   */
  public <T> void export(String service, Class<T> type, T implementation, Style style) {
    MethodTable methods = MethodTable.of(type);
    AtomicLong epoch = epochs.computeIfAbsent(service, name -> new AtomicLong());
    Execution execution =
        executions.open(service, methods, style, epoch::get, () -> silentPeers(service));
    Export added =
        new Export(
            service,
            methods,
            implementation,
            style,
            execution,
            options.middleware().replyBytesMax());
    if (exports.putIfAbsent(service, added) != null) {
      added.close();
      throw new IllegalArgumentException("A service " + service + " is exported already.");
    }
    if (options.failOver().warmConnections()) {
      warmUps.begin(service);
    }
    if (Training.isOn()) {
      Training.end();
    } else if (!options.managers().isEmpty()) {
      agents.add(
          ReplicaAgent.open(
              service,
              endpoint(),
              options.managers(),
              options.controlSecret(),
              this::isHealthy,
              execution::epochSeen,
              new Orders()));
    }
  }

  /**
   * Whether this replica can serve: it accepts connections, and reaches its database if it has one.
   */
  public boolean isHealthy() {
    return health.isHealthy();
  }

  /** The other replicas of the newest reference that was told that give no sign of life. */
  private List<String> silentPeers(String service) {
    ServiceReference reference = assigned.get(service);
    return reference == null ? List.of() : checks.silentPeers(reference);
  }

  private long laterOfDatabaseAnswers(long latestNanos) {
    long latest = latestNanos;
    for (Export each : exports.values()) {
      long answered = each.databaseAnsweredNanos().orElse(latest);
      latest = answered - latest > 0 ? answered : latest;
    }
    return latest;
  }

  /** The endpoint at which this replica is reached. */
  public Endpoint endpoint() {
    return listener.endpoint(options.replica());
  }

  /**
   * Tells this replica which epoch a service is in: the replication manager's word. The writes of
   * an earlier epoch's primary are refused by the database.
   */
  public void appoint(String service, long epoch) {
    epochs.computeIfAbsent(service, name -> new AtomicLong()).accumulateAndGet(epoch, Math::max);
  }

  /**
   * Tells this replica of a service's newest reference: the replication manager's word. Every
   * replica takes the epoch, so that none acts after a later one began. A service that keeps its
   * state in the memory of a primary has its updates run by the first replica of the reference
   * alone.
   */
  public void assign(ServiceReference reference) {
    appoint(reference.service(), reference.epoch());
    assigned.merge(
        reference.service(),
        reference,
        (old, fresh) -> fresh.version() > old.version() ? fresh : old);
  }

  private boolean isBackup(String service) {
    ServiceReference reference = assigned.get(service);
    return reference != null && reference.endpoints().indexOf(endpoint()) != 0;
  }

  /**
   * Sends further calls to other replicas, and waits for those under way.
   *
   * @return whether all of them ended within the patience; then closing fails no call
   */
  public boolean drain(Duration patience) throws InterruptedException {
    draining = true;
    return underWay.awaitNone(patience);
  }

  /** The number of times that a client's session was created or restored here. */
  public long sessionsRestored() {
    return sessions.restored();
  }

  /** The number of calls that are under way now. */
  public int callsUnderWay() {
    return underWay.count();
  }

  /** The number of calls that were given a reply. */
  public long answered() {
    return answered.sum();
  }

  /**
   * The number of calls that were turned away: unknown, malformed, or more than may run at once.
   */
  public long rejected() {
    return rejected.sum();
  }

  /**
   * The number of calls that this replica made to itself to be warm, which no other figure counts.
   */
  public long warmUpCalls() {
    return warmUps.done();
  }

  /** The number of calls to itself that failed: then its first calls may be slow. */
  public long warmUpCallsFailed() {
    return warmUps.failures();
  }

  private CallReply handle(CallRequest request) {
    if (request.kind() == CallRequest.Kind.WARM_UP
        || request.kind() == CallRequest.Kind.RENEW_LEASE) {
      return admit(request);
    }
    Probes probes = options.probes();
    long arrival = probes == null ? 0 : probes.nowNanos();
    CallReply reply = admit(request);
    (reply.status() == CallReply.Status.REJECTED ? rejected : answered).increment();
    if (probes != null) {
      Export.record(probes, request, arrival, reply);
    }
    return reply;
  }

  private CallReply admit(CallRequest request) {
    boolean counted =
        request.kind() == CallRequest.Kind.SERVICE || request.kind() == CallRequest.Kind.RETAINED;
    if (counted) {
      underWay.begin();
    }
    try {
      if (draining) {
        return CallReply.saying(CallReply.Status.DRAINING, options.replica() + " is being drained");
      }
      if (request.kind() == CallRequest.Kind.RESTORE_SESSION) {
        return restoreSession(request);
      }
      if (request.kind() == CallRequest.Kind.RENEW_LEASE) {
        return renewLease(request);
      }
      Export export = exports.get(request.service());
      if (export == null) {
        return CallReply.saying(
            CallReply.Status.REJECTED, "no service " + request.service() + " is exported here");
      }
      return switch (request.kind()) {
        case SERVICE, RETAINED -> call(export, request);
        case PROBE_HEALTH -> export.health();
        case WARM_UP -> warmUp(export, request);
        case RESTORE_SESSION, RENEW_LEASE -> throw new AssertionError("it is of no service");
      };
    } finally {
      if (counted) {
        underWay.end();
      }
    }
  }

  private CallReply call(Export export, CallRequest request) {
    ServiceMethod method = export.find(request.method());
    if (method == null) {
      return CallReply.saying(
          CallReply.Status.REJECTED,
          request.service() + " has no method " + request.method() + " with that signature");
    }
    if (method.isUpdate() && export.isOfPrimaryAlone() && isBackup(export.service())) {
      return CallReply.saying(
          CallReply.Status.NOT_PRIMARY,
          options.replica() + " is not the primary of " + export.service());
    }
    if ((request.isKeyed() || request.kind() == CallRequest.Kind.RETAINED)
        && !export.retainsKeys()) {
      return CallReply.saying(
          CallReply.Status.REJECTED,
          export.service() + " retains no replies under keys: it has no database for them");
    }
    return run(export, method, request);
  }

  /** Runs a call of the method, or a warm-up if there is none, all the same way. */
  private CallReply run(Export export, @Nullable ServiceMethod method, CallRequest request) {
    CallDeadline deadline = new CallDeadline(TIME, request); // before any wait for a session
    return run(
        request,
        () ->
            method == null
                ? export.warmUp(request, isWhole(request), deadline)
                : export.call(method, request, deadline));
  }

  private CallReply run(CallRequest request, Callable<CallReply> work) {
    if (!calls.tryAcquire()) {
      return CallReply.saying(
          CallReply.Status.REJECTED, options.callsMax() + " calls are under way: overload");
    }
    try {
      if (options.database() == null || options.failOver().databasePool()) {
        return work.call();
      }
      return SessionDataSource.runFor(request.identity().client(), work);
    } catch (Throwable e) {
      return CallReply.saying(CallReply.Status.FAILED, String.valueOf(e));
    } finally {
      calls.release();
    }
  }

  /** Without a pool a warm-up would open a connection, which no later call could use. */
  private boolean isWhole(CallRequest warmUp) {
    return warmUps.isOwn(warmUp.identity())
        && (options.database() == null || options.failOver().databasePool());
  }

  private CallReply warmUp(Export export, CallRequest request) {
    if (!warmUps.isOwn(request.identity())) {
      renewLease(request);
    }
    return run(export, null, request);
  }

  private CallReply renewLease(CallRequest request) {
    // No lambda: its class would be loaded at the first call that renews, which a client waits for.
    for (Export export : exports.values()) {
      export.renewLease(request.identity().client());
    }
    return new CallReply(CallReply.Status.RESULT, new byte[0]);
  }

  private CallReply restoreSession(CallRequest request) {
    try {
      sessions.restore(request.identity().client());
      return new CallReply(CallReply.Status.RESULT, new byte[0]);
    } catch (SQLException e) {
      return CallReply.saying(CallReply.Status.UNAVAILABLE, "the session has no database: " + e);
    }
  }

  /** Does what the replication managers say. */
  private final class Orders implements ReplicaAgent.Listener {
    @Override
    public void assigned(ServiceReference reference) {
      assign(reference);
    }

    @Override
    public void drain() {
      try {
        if (!ServiceServer.this.drain(DRAIN_PATIENCE)) {
          System.err.println(
              options.replica() + ": calls were still under way after " + DRAIN_PATIENCE);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Stops listening, ends connections and executions. */
  @Override
  public void close() {
    agents.forEach(ReplicaAgent::close);
    health.close();
    warmUps.close();
    listener.close();
    exports.values().forEach(Export::close);
    sessions.close();
  }
}
