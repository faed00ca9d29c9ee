package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.terrace.benchmarks.OnlyFlag;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;

/**
 * A kind of database that keeps the effects and the replies of an exactly-once service. Its commits
 * wait for the disk, as a user's do.
 */
enum EffectsDatabase {
  POSTGRESQL,
  MARIADB;

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE entered (lot bigint NOT NULL)",
          "CREATE TABLE held (place bigint PRIMARY KEY, changes bigint NOT NULL)");

  /** The number of rows to be changed. */
  static final int PLACES = 4;

  /**
   * A server that runs, with the tables of {@link Lots}.
   *
   * @param server ends it
   */
  record Open(AutoCloseable server, String url, String user) implements AutoCloseable {
    /** The arguments that tell a replica of it. */
    List<String> words() {
      return List.of(url, user);
    }

    Connection connect() throws SQLException {
      return DriverManager.getConnection(url, user, null);
    }

    @Override
    public void close() throws IOException {
      try {
        server.close();
      } catch (Exception e) {
        throw new IOException("the database did not end: " + e.getMessage(), e);
      }
    }
  }

  /** The reason for which there is none on this machine; empty if there is. */
  String missing() {
    return switch (this) {
      case POSTGRESQL -> "";
      case MARIADB -> MariaDbServer.isInstallable() ? "" : "there is no MariaDB for this machine";
    };
  }

  Open open() throws IOException, SQLException {
    Open open =
        switch (this) {
          case POSTGRESQL -> {
            PostgresServer server =
                new PostgresServer(PostgresOptions.at(EchoServer.HOST, freePort()));
            server.initialise().start();
            yield new Open(server, server.jdbcUrl(), server.options().user());
          }
          case MARIADB -> {
            MariaDbServer server =
                new MariaDbServer(MariaDbOptions.at(EchoServer.HOST, freePort(), "lots"));
            server.initialise().start();
            yield new Open(server, server.jdbcUrl(), server.options().user());
          }
        };
    try (Connection connection = open.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : TABLES) {
        statement.execute(sql);
      }
      for (int place = 0; place < PLACES; place++) {
        statement.execute("INSERT INTO held VALUES (" + place + ", 0)");
      }
      return open;
    } catch (SQLException e) {
      open.close();
      throw e;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(EchoServer.HOST, 0));
      return probe.getLocalPort();
    }
  }

  @Override
  public String toString() {
    return OnlyFlag.name(this);
  }
}
