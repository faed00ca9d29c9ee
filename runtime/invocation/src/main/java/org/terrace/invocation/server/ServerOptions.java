package org.terrace.invocation.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.control.Style;
import org.terrace.invocation.Execution;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.Probes;
import org.terrace.invocation.softstate.SoftStateExecution;
import org.terrace.invocation.softstate.UpdateScope;
import org.terrace.middleware.Middleware;
import org.terrace.middleware.Middlewares;

/** The settings of a {@link ServiceServer}. Immutable; each {@code with} makes a changed copy. */
public final class ServerOptions {
  private String replica;
  private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private @Nullable DataSource database;
  private Middleware middleware = Middlewares.byName("terrace");
  private Execution.@Nullable Factory execution;
  private @Nullable Execution softState;
  private FailOverOptions failOver = FailOverOptions.all();
  private @Nullable Probes probes;
  private int callsMax = 1_024;
  private List<InetSocketAddress> managers = List.of();

  private ServerOptions(String replica) {
    this.replica = Objects.requireNonNull(replica);
  }

  private ServerOptions(ServerOptions other) {
    replica = other.replica;
    address = other.address;
    database = other.database;
    middleware = other.middleware;
    execution = other.execution;
    softState = other.softState;
    failOver = other.failOver;
    probes = other.probes;
    callsMax = other.callsMax;
    managers = other.managers;
  }

  /**
   * Options of a replica on a free loopback port, without a database, over the default transport.
   *
   * @param replica the replica's name, unique among those of its services and its earlier
   *     incarnations
   */
  public static ServerOptions of(String replica) {
    return new ServerOptions(replica);
  }

  /** Listens there; port 0 lets the system choose. */
  public ServerOptions withAddress(InetSocketAddress newAddress) {
    ServerOptions copy = new ServerOptions(this);
    copy.address = Objects.requireNonNull(newAddress);
    return copy;
  }

  /** Gives every call a transaction of this database. */
  public ServerOptions withDatabase(DataSource newDatabase) {
    ServerOptions copy = new ServerOptions(this);
    copy.database = Objects.requireNonNull(newDatabase);
    return copy;
  }

  /** Carries calls over the middleware of that name. */
  public ServerOptions withMiddleware(String name) {
    return withMiddleware(Middlewares.byName(name));
  }

  /** Carries calls over that middleware. */
  public ServerOptions withMiddleware(Middleware newMiddleware) {
    ServerOptions copy = new ServerOptions(this);
    copy.middleware = Objects.requireNonNull(newMiddleware);
    return copy;
  }

  /** Runs calls through executions of that kind, instead of the one that fits the database. */
  public ServerOptions withExecution(Execution.Factory newExecution) {
    ServerOptions copy = new ServerOptions(this);
    copy.execution = Objects.requireNonNull(newExecution);
    return copy;
  }

  /**
   * Lets services of style {@link Style#SOFT_STATE} be exported: their updates take effect in this
   * scope, for example {@code requests::execute} of a {@code RequestDeduplication} of {@code
   * org.terrace.collections}.
   *
   * @param behind whether this replica is known to miss updates; reads then prefer others
   */
  public ServerOptions withSoftState(UpdateScope scope, BooleanSupplier behind) {
    ServerOptions copy = new ServerOptions(this);
    copy.softState = new SoftStateExecution(scope, behind);
    return copy;
  }

  /** The parts of fail-over; pool and trusted identity are the server's. */
  public ServerOptions withFailOver(FailOverOptions newFailOver) {
    ServerOptions copy = new ServerOptions(this);
    copy.failOver = Objects.requireNonNull(newFailOver);
    return copy;
  }

  /** Records probes P4 to P7 there. */
  public ServerOptions withProbes(Probes newProbes) {
    ServerOptions copy = new ServerOptions(this);
    copy.probes = Objects.requireNonNull(newProbes);
    return copy;
  }

  /** How many calls may run at once, 1 or more; a further one is rejected. */
  public ServerOptions withCallsMax(int newCallsMax) {
    if (newCallsMax < 1) {
      throw new IllegalArgumentException("At least 1 call may run, not " + newCallsMax + ".");
    }
    ServerOptions copy = new ServerOptions(this);
    copy.callsMax = newCallsMax;
    return copy;
  }

  /**
   * Registers every exported service with these replication managers: they learn where this replica
   * is and that it is alive, say who is the primary, and have it drained.
   */
  public ServerOptions withManager(List<InetSocketAddress> newManagers) {
    ServerOptions copy = new ServerOptions(this);
    copy.managers = List.copyOf(newManagers);
    return copy;
  }

  /** The replica's name. */
  public String replica() {
    return replica;
  }

  /** Where to listen. */
  public InetSocketAddress address() {
    return address;
  }

  /** The database, or null. */
  public @Nullable DataSource database() {
    return database;
  }

  /** What carries calls. */
  public Middleware middleware() {
    return middleware;
  }

  /** How calls run, or null for what fits the database. */
  public Execution.@Nullable Factory execution() {
    return execution;
  }

  /** How calls of services of soft state run, or null. */
  public @Nullable Execution softState() {
    return softState;
  }

  /** The parts of fail-over that are on. */
  public FailOverOptions failOver() {
    return failOver;
  }

  /** Where probes are recorded, or null. */
  public @Nullable Probes probes() {
    return probes;
  }

  /** Where the replication managers listen; none for a replica on its own. */
  public List<InetSocketAddress> managers() {
    return managers;
  }

  /** How many calls may run at once. */
  public int callsMax() {
    return callsMax;
  }
}
