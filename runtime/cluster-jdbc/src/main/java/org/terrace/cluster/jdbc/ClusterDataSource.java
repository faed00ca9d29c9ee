package org.terrace.cluster.jdbc;

import java.io.PrintWriter;
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
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.session.ClusterConnection;
import org.terrace.cluster.jdbc.session.DatabaseCluster;
import org.terrace.cluster.jdbc.session.OnceRunnable;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.ClusterUrl;

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
