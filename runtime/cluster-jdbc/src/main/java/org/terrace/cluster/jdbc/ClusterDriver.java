package org.terrace.cluster.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.settings.ClusterUrl;

/**
 * The JDBC driver for URLs such as {@code jdbc:terrace:postgresql://a,b,c/shop}. Found by {@link
 * DriverManager} without being named. Thread-safe.
 *
 * <p>The first connection opens the cluster, which takes a connection to every server; later ones
 * share it. A pool above, such as HikariCP, keeps it open.
 */
public final class ClusterDriver implements Driver {
  private static final int MAJOR = 0;
  private static final int MINOR = 1;

  static {
    try {
      DriverManager.registerDriver(new ClusterDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A driver, without connections. */
  public ClusterDriver() {}

  @Override
  public @Nullable Connection connect(String url, @Nullable Properties properties)
      throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    Properties given = properties == null ? new Properties() : properties;
    return OpenClusters.connect(ClusterUrl.parse(url, given));
  }

  @Override
  public boolean acceptsURL(String url) {
    return ClusterUrl.isMeant(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return MAJOR;
  }

  @Override
  public int getMinorVersion() {
    return MINOR;
  }

  /** False: what could make replicas differ is refused, which the standard's tests do not know. */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("The driver logs by System.Logger.", "0A000");
  }
}
