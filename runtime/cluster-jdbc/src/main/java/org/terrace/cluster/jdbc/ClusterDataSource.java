package org.terrace.cluster.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.session.ClusterConnection;
import org.terrace.cluster.jdbc.session.DatabaseCluster;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.ClusterUrl;

/**
 * A source of connections to one cluster, which it keeps open until it is closed. Thread-safe.
 *
 * <p>It pools nothing, as the cluster pools the real connections: taking one costs nothing.
 */
public final class ClusterDataSource implements DataSource, AutoCloseable {
  private final ClusterConfiguration configuration;
  private final DatabaseCluster cluster;

  private ClusterDataSource(ClusterConfiguration configuration, DatabaseCluster cluster) {
    this.configuration = configuration;
    this.cluster = cluster;
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
    ClusterConfiguration configuration = ClusterUrl.parse(url, properties);
    return new ClusterDataSource(configuration, OpenClusters.acquire(configuration));
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

  /** Ends this use of the cluster. */
  @Override
  public void close() {
    OpenClusters.release(configuration);
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
