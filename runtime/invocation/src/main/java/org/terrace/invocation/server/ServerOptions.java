package org.terrace.invocation.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.Style;
import org.terrace.invocation.Execution;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.Probes;
import org.terrace.invocation.retention.RetainedExecution;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.invocation.softstate.SoftStateExecution;
import org.terrace.invocation.softstate.UpdateScope;
import org.terrace.middleware.Middleware;
import org.terrace.middleware.Middlewares;

/**
 * The options of a {@link ServiceServer}. Immutable.
 *
 * @param replica the replica's name, unique among those of its services and its earlier
 *     incarnations
 * @param address where to listen; port 0 lets the system choose
 * @param database gives every call a transaction, and keeps the replies; null for none
 * @param retention how long replies, clients and locks last in the database
 * @param middleware what carries calls
 * @param execution runs calls instead of what fits the database, or null
 * @param softState runs calls of services of style {@link Style#SOFT_STATE}, or null
 * @param failOver the parts of fail-over that are on; pool and trusted identity are the server's
 * @param probes where each call's times are recorded, or null
 * @param callsMax how many calls may run at once, 1 or more; a further one is rejected
 * @param healthPatience how long the replica may fail its own checks, that it accepts connections
 *     and reaches its database, before it tells its managers nothing more and they replace it
 * @param databasePatience how long a replica that is started waits for a database that is away,
 *     before it gives up; zero: not at all
 * @param managers where the replication managers listen; none for a replica on its own
 * @param controlSecret of the managers, if they have one
 */
public record ServerOptions(
    String replica,
    InetSocketAddress address,
    @Nullable DataSource database,
    RetentionOptions retention,
    Middleware middleware,
    Execution.@Nullable Factory execution,
    @Nullable Execution softState,
    FailOverOptions failOver,
    @Nullable Probes probes,
    int callsMax,
    Duration healthPatience,
    Duration databasePatience,
    List<InetSocketAddress> managers,
    ControlSecret controlSecret) {
  private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(10);
  private static final Duration DATABASE_PATIENCE = Duration.ofMinutes(5);

  /** Checks the ranges. */
  public ServerOptions {
    Objects.requireNonNull(replica);
    Objects.requireNonNull(address);
    Objects.requireNonNull(retention);
    Objects.requireNonNull(middleware);
    Objects.requireNonNull(failOver);
    Objects.requireNonNull(controlSecret);
    managers = List.copyOf(managers);
    if (callsMax < 1) {
      throw new IllegalArgumentException("At least 1 call may run, not " + callsMax + ".");
    }
    if (!healthPatience.isPositive()) {
      throw new IllegalArgumentException(
          "The patience with checks is above zero, not " + healthPatience + ".");
    }
    if (databasePatience.isNegative()) {
      throw new IllegalArgumentException(
          "The patience with a database is zero or more, not " + databasePatience + ".");
    }
  }

  /**
   * The options of a replica on a free loopback port, without a database, over the default
   * transport.
   */
  public static ServerOptions of(String replica) {
    return new ServerOptions(
        replica,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        null,
        RetentionOptions.defaults(),
        Middlewares.byName("terrace"),
        null,
        null,
        FailOverOptions.all(),
        null,
        1_024,
        HEALTH_PATIENCE,
        DATABASE_PATIENCE,
        List.of(),
        ControlSecret.none());
  }

  /** Listening there. */
  public ServerOptions withAddress(InetSocketAddress newAddress) {
    return new ServerOptions(
        replica,
        newAddress,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /**
   * These options with a transaction of this database for every call, and the replies kept there.
   */
  public ServerOptions withDatabase(DataSource newDatabase) {
    return new ServerOptions(
        replica,
        address,
        newDatabase,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options with other times for replies, clients and locks. */
  public ServerOptions withRetention(RetentionOptions newRetention) {
    return new ServerOptions(
        replica,
        address,
        database,
        newRetention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options over the middleware of that name. */
  public ServerOptions withMiddleware(String name) {
    return withMiddleware(Middlewares.byName(name));
  }

  /** These options over that middleware. */
  public ServerOptions withMiddleware(Middleware newMiddleware) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        newMiddleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options with executions of that kind, instead of the one that fits the database. */
  public ServerOptions withExecution(Execution.Factory newExecution) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        newExecution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /**
   * These options with replies kept by each replica for itself: then a service of several replicas
   * may be exported without a database, and an update that is sent again after its replica died
   * runs once more.
   */
  public ServerOptions withUnsharedReplies() {
    return withExecution((service, epoch) -> new MemoryExecution());
  }

  /**
   * These options with services of style {@link Style#SOFT_STATE}, whose updates take effect in
   * this scope, for example {@code requests::execute} of a {@code RequestDeduplication} of {@code
   * org.terrace.collections}.
   *
   * @param behind whether this replica is known to miss updates; reads then prefer others
   */
  public ServerOptions withSoftState(UpdateScope scope, BooleanSupplier behind) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        new SoftStateExecution(scope, behind),
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options with other parts of fail-over. */
  public ServerOptions withFailOver(FailOverOptions newFailOver) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        newFailOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options with the times of calls recorded in these probes. */
  public ServerOptions withProbes(Probes newProbes) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        newProbes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options with another largest number of calls at once. */
  public ServerOptions withCallsMax(int newCallsMax) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        newCallsMax,
        healthPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /** These options with another patience with the server's own checks. */
  public ServerOptions withHealthPatience(Duration newPatience) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        newPatience,
        databasePatience,
        managers,
        controlSecret);
  }

  /**
   * These options with another patience, while the server is started, with a database that is away.
   */
  public ServerOptions withDatabasePatience(Duration newPatience) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        newPatience,
        managers,
        controlSecret);
  }

  /** These options with the secret that the managers ask for. */
  public ServerOptions withControlSecret(ControlSecret newSecret) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        managers,
        newSecret);
  }

  /**
   * These options with every exported service registered with these replication managers: they
   * learn where this replica is and that it is healthy, say who is the primary, and have it
   * drained.
   */
  public ServerOptions withManager(List<InetSocketAddress> newManagers) {
    return new ServerOptions(
        replica,
        address,
        database,
        retention,
        middleware,
        execution,
        softState,
        failOver,
        probes,
        callsMax,
        healthPatience,
        databasePatience,
        newManagers,
        controlSecret);
  }

  /**
   * The epoch that the database holds calls to. A replica under managers is told one after its
   * clients may have been: until then it is of the epoch before all others. One without may never
   * be told any.
   */
  long fence(Style style, long epoch) {
    boolean isTold = epoch > 0 || !managers.isEmpty();
    return style == Style.WARM_PASSIVE && isTold ? epoch : RetainedExecution.UNFENCED;
  }
}
