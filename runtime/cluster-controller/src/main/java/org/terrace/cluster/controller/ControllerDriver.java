package org.terrace.cluster.controller;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver for {@code jdbc:terrace:controller://host:port,host:port/database}, which offers
 * what the one of a cluster in the program's own process does, and asks for the outcome of a commit
 * whose answer is lost. Thread-safe.
 */
public final class ControllerDriver implements Driver {
  static {
    try {
      DriverManager.registerDriver(new ControllerDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A driver, without connections. */
  public ControllerDriver() {}

  @Override
  public @Nullable Connection connect(String url, @Nullable Properties properties)
      throws SQLException {
    return acceptsURL(url)
        ? ControllerConnection.open(
            ControllerUrl.of(url, properties == null ? new Properties() : properties))
        : null;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(ControllerUrl.PREFIX);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties properties) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 0;
  }

  @Override
  public int getMinorVersion() {
    return 1;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("The driver logs nothing.", "0A000");
  }
}
