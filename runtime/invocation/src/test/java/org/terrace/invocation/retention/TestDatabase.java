package org.terrace.invocation.retention;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A real database and pools of connections to it. */
public interface TestDatabase extends AutoCloseable {

  /** The URL for JDBC. */
  String url();

  /** The user, who needs no password. */
  String user();

  /** A query for the number of transactions that wait for a lock. */
  String countWaiting();

  /** Kills the server as a crash does, and starts it again on what it left. */
  void crashAndStart();

  @Override
  void close();

  /** A pool of connections without auto-commit. */
  default HikariDataSource pool(int connections) {
    return pool(url(), user(), connections);
  }

  /** A pool to the database at that URL. */
  static HikariDataSource pool(String url, String user, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setMaximumPoolSize(connections);
    config.setAutoCommit(false);
    return new HikariDataSource(config);
  }

  /** A port that nobody listens at. */
  static int freePort(String address) throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return probe.getLocalPort();
    }
  }
}
