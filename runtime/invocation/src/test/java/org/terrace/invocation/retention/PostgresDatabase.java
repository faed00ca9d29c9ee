package org.terrace.invocation.retention;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.terrace.experiment.postgres.PostgresOptions;
import org.terrace.experiment.postgres.PostgresOptions.Durability;
import org.terrace.experiment.postgres.PostgresServer;

/** A real PostgreSQL and pools of connections to it. */
public final class PostgresDatabase implements AutoCloseable {
  private static final String ADDRESS = "127.22.1.1";

  private final PostgresServer server;

  private PostgresDatabase(PostgresServer server) {
    this.server = server;
  }

  public static PostgresDatabase start() throws IOException {
    int port;
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      port = probe.getLocalPort();
    }
    PostgresServer server =
        new PostgresServer(
            PostgresOptions.at(ADDRESS, port)
                .withDatabase("service", "service")
                .withSizes(32, 100)
                .withDurability(Durability.NONE));
    server.initialise().start();
    return new PostgresDatabase(server);
  }

  public HikariDataSource pool(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.jdbcUrl());
    config.setUsername(server.options().user());
    config.setMaximumPoolSize(connections);
    config.setAutoCommit(false);
    return new HikariDataSource(config);
  }

  public String url() {
    return server.jdbcUrl();
  }

  public String user() {
    return server.options().user();
  }

  @Override
  public void close() {
    server.close();
  }
}
