package org.terrace.cluster.jdbc.replica;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.ReplicaAddress;
import org.terrace.cluster.server.dialect.ServerConnections;
import org.terrace.core.TimeSource;

/** One database server of a cluster, and the pool of connections to it. Thread-safe. */
public final class ReplicaServer {
  /** The order of the URL. */
  public static final Comparator<ReplicaServer> IN_ORDER =
      Comparator.comparingInt(ReplicaServer::number);

  /** The pool waits no longer at a time, so that whoever waits for a dead server soon learns it. */
  private static final int SHORTEST_WAIT_MILLIS = 250;

  /** A connection counts as silent after so many times what a probe may take. */
  private static final int SILENT_HANGS = 10;

  private final int number;
  private final ReplicaAddress address;
  private final ClusterConfiguration configuration;
  private final ServerConnections connections;
  private final AtomicLong cuts = new AtomicLong();
  private volatile boolean retired;
  private @Nullable HikariDataSource pool;

  /** A server of the URL to which there is no connection yet. */
  public ReplicaServer(int number, ClusterConfiguration configuration) {
    this(number, configuration.replicas().get(number), configuration);
  }

  /** A server to which there is no connection yet. */
  public ReplicaServer(int number, ReplicaAddress address, ClusterConfiguration configuration) {
    this.number = number;
    this.address = address;
    this.configuration = configuration;
    this.connections =
        new ServerConnections(
            configuration.engine(),
            () -> DriverManager.getConnection(configuration.replicaUrl(address), credentials()),
            configuration.hang().multipliedBy(SILENT_HANGS));
  }

  /** The place of the server among the servers of the URL and those that were added, from 0. */
  public int number() {
    return number;
  }

  /** The host and port of the server. */
  public String name() {
    return address.toString();
  }

  /** The time for which its own locks are waited for. */
  public Duration lockWait() {
    return configuration.lockWait();
  }

  /**
   * A connection of its own, outside of the pool, in auto-commit.
   *
   * @throws SQLException also when it has been retired
   */
  public Connection connect() throws SQLException {
    Connection connection = connections.getConnection();
    if (retired) {
      connection.close();
      throw wasRemoved();
    }
    return connection;
  }

  private SQLException wasRemoved() {
    return new SQLException(
        name() + " was removed, or the cluster is closed.", SqlStates.CONNECTION_FAILURE);
  }

  /**
   * A connection of its own for a short question, in auto-commit: a server that falls silent over
   * it fails it, although nobody watches. One that has been retired can be asked, too.
   */
  public Connection ask() throws SQLException {
    Connection connection = connections.getConnection();
    Duration limit = configuration.hang().multipliedBy(2);
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
    return connection;
  }

  /**
   * Cuts those connections whose way alone has fallen silent: they wait for an answer, and the
   * server says over another one that it has nothing to do for them.
   */
  public void cutSilent(Connection asking) throws SQLException {
    connections.cutSilent(asking, TimeSource.system().elapsedNanos());
  }

  /** Ends the use of a server, as it was removed or all are left: nothing is begun there. */
  public void retire() {
    retired = true;
  }

  /**
   * A connection of the pool, in auto-commit and READ COMMITTED.
   *
   * @throws SQLException also when the server has been retired, or was cut meanwhile
   */
  public Connection borrow() throws SQLException {
    long deadlineNanos = TimeSource.system().elapsedNanos() + configuration.connect().toNanos();
    long before = cuts.get();
    while (true) {
      long cutsNow = cuts.get();
      try {
        Connection connection = pool().getConnection();
        if (cuts.get() == cutsNow && !retired) {
          return connection;
        }
        // It may have come too late to be cut with the others.
        abort(connection);
        giveBack(connection);
      } catch (SQLTransientConnectionException e) {
        if (cuts.get() != before) {
          throw new SQLException(name() + " was taken out.", SqlStates.CONNECTION_FAILURE, e);
        }
        if (TimeSource.system().elapsedNanos() > deadlineNanos) {
          throw e;
        }
      }
    }
  }

  /**
   * The number of times that all connections were cut. It is asked before one is borrowed: the
   * failure of a connection says nothing against the server if that has been cut since, as it is
   * not back before that.
   */
  public long cuts() {
    return cuts.get();
  }

  /** Takes a connection back whose session was changed, and drops it. */
  public void drop(Connection connection) {
    HikariDataSource open = openPool();
    if (open == null) {
      giveBack(connection);
    } else {
      // The pool closes it, and would stumble over its state when it were given back, too.
      open.evictConnection(connection);
    }
  }

  /** Takes a connection back. */
  public void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool drops it.
    }
  }

  /**
   * Cuts all connections, so that whoever waits for this server waits no longer, and returns once
   * they are cut.
   */
  public void cut() {
    cuts.incrementAndGet();
    HikariDataSource closing = closePool();
    connections.cut();
    if (closing != null) {
      closing.close();
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.unwrap(Connection.class).abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone already.
    }
  }

  private synchronized @Nullable HikariDataSource closePool() {
    HikariDataSource closing = pool;
    pool = null;
    return closing;
  }

  private synchronized @Nullable HikariDataSource openPool() {
    return pool;
  }

  private synchronized HikariDataSource pool() throws SQLException {
    HikariDataSource open = pool;
    if (retired) {
      // A pool that was begun now would have nobody to close it.
      throw wasRemoved();
    }
    if (open == null) {
      open = new HikariDataSource(poolConfiguration());
      pool = open;
    }
    return open;
  }

  private HikariConfig poolConfiguration() throws SQLException {
    HikariConfig config = new HikariConfig();
    checkDriver();
    config.setDataSource(connections);
    // A pool outlives the request that is the first to need it: it takes nothing of its thread.
    config.setThreadFactory(
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("terrace-pool-" + name() + "-", 1)
            .factory());
    config.setMaximumPoolSize(configuration.connections());
    config.setMinimumIdle(0);
    config.setConnectionTimeout(SHORTEST_WAIT_MILLIS);
    config.setInitializationFailTimeout(-1);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionInitSql(
        EngineDialect.of(configuration.engine()).lockWait(configuration.lockWait()));
    config.setPoolName("terrace-" + name());
    return config;
  }

  private Properties credentials() throws SQLException {
    checkDriver();
    Properties properties = configuration.driverProperties();
    properties.setProperty("user", configuration.user());
    properties.setProperty("password", configuration.password());
    return properties;
  }

  private void checkDriver() throws SQLException {
    try {
      Class.forName(configuration.engine().driverClass());
    } catch (ClassNotFoundException e) {
      throw new SQLException(
          "The driver of the real database, %s, is not among the libraries: add %s."
              .formatted(
                  configuration.engine().driverClass(), configuration.engine().driverArtifact()),
          SqlStates.CANNOT_CONNECT,
          e);
    }
  }
}
