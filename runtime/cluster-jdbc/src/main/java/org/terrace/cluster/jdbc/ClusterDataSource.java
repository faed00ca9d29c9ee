package org.terrace.cluster.jdbc;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterCore;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.session.ClusterConnection;
import org.terrace.cluster.jdbc.session.DatabaseCluster;
import org.terrace.cluster.jdbc.session.OnceRunnable;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.core.PoolMetrics.Pool;
import org.terrace.core.PoolMetrics.Usage;
import org.terrace.recovery.log.RecoveryLog;

/**
 * A source of connections to one cluster, which it keeps open until it is closed. Thread-safe.
 *
 * <p>It pools nothing, as the cluster pools the real connections: taking one costs nothing.
 */
public final class ClusterDataSource implements DataSource, AutoCloseable {
  private final DatabaseCluster cluster;
  private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();
  private final Runnable release;

  private ClusterDataSource(DatabaseCluster cluster, Runnable release) {
    this.cluster = cluster;
    this.release = release;
  }

  /**
   * Opens the cluster of a URL.
   *
   * @throws SQLException when the URL is wrong, a server does not answer, or the servers differ
   */
  public static ClusterDataSource open(String url, String user, String password)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    return open(url, properties);
  }

  /**
   * Opens the cluster of a URL with further options, which win over those in the URL.
   *
   * @throws SQLException when the URL is wrong, a server does not answer, or the servers differ
   */
  public static ClusterDataSource open(String url, Properties properties) throws SQLException {
    ClusterConfiguration configuration = ClusterUrl.parse(url, properties);
    return new ClusterDataSource(
        OpenClusters.acquire(configuration),
        new OnceRunnable(() -> OpenClusters.release(configuration)));
  }

  /**
   * Whether another process has the recovery log of a URL open, and so may own the cluster: costs
   * no look at a server.
   *
   * @throws SQLException when the URL is wrong, or the log's directory cannot be read
   */
  public static boolean isLogInUse(String url, Properties properties) throws SQLException {
    String log = ClusterUrl.parse(url, properties).log();
    try {
      return !log.isEmpty() && RecoveryLog.isInUse(Path.of(log));
    } catch (IOException e) {
      throw new SQLException("The recovery log " + log + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public Connection getConnection() {
    return new ClusterConnection(cluster, () -> {});
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException(
        "The cluster is open for one user: open another data source.", "0A000");
  }

  /** The reasons why the replicas that are out were taken out, by their host and port. */
  public Map<String, String> losses() {
    return cluster.losses();
  }

  /** The hosts and ports of the servers, active or not. */
  public List<String> servers() {
    return cluster.servers();
  }

  /**
   * Adds a server by its host and port, with or without data of this cluster. It gets the data of
   * the others while they serve; until then {@link #losses} says how far it is. The servers
   * remember it: from now on a URL has to name it.
   *
   * @throws SQLException when it does not answer, is one already, or there is no recovery log
   */
  public void addServer(String server) throws SQLException {
    cluster.addServer(server);
  }

  /**
   * Removes a server by its host and port, active or not. Its data stay as they are. The others
   * remember it: from now on a URL must not name it.
   *
   * @throws SQLException when it is none, or fewer than {@code minimumReplicas} would be left
   */
  public void removeServer(String server) throws SQLException {
    cluster.removeServer(server);
  }

  /** The transactions with locks, in use those that wait for one, and what servers are behind. */
  public Map<String, Pool> pools() {
    int maxBehind = cluster.configuration().maxBehind();
    return Map.of(
        "write-lock", new Pool(() -> cluster.ask(ClusterDataSource::lockUsage)),
        "pending-writes", new Pool(maxBehind, () -> cluster.ask(ClusterCore::behind)));
  }

  private static Usage lockUsage(ClusterCore core) {
    return new Usage(Math.max(1, core.lockUsers()), core.lockWaiters());
  }

  /** Tells a listener of the replicas that are out, and of losses and returns until the close. */
  public void listen(ReplicaListener listener) {
    listeners.add(listener);
    cluster.listen(listener);
  }

  /** Ends this use of the cluster, once. */
  @Override
  public void close() {
    listeners.forEach(cluster::forget);
    release.run();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException("Use connectMillis of the URL.", "0A000");
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("The cluster logs by System.Logger.", "0A000");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("This is no " + type.getName() + ".", "0A000");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
