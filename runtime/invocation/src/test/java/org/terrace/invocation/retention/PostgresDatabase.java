package org.terrace.invocation.retention;

import java.io.IOException;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

/** A real PostgreSQL. */
public record PostgresDatabase(PostgresServer server) implements TestDatabase {
  private static final String ADDRESS = "127.22.1.1";

  /** The server, whose commits wait for nothing. */
  public static PostgresDatabase start() throws IOException {
    return start(Durability.NONE);
  }

  /** The server, whose commits survive its crash. */
  public static PostgresDatabase startDurable() throws IOException {
    return start(Durability.DISK);
  }

  private static PostgresDatabase start(Durability durability) throws IOException {
    PostgresServer server =
        new PostgresServer(
            PostgresOptions.at(ADDRESS, TestDatabase.freePort(ADDRESS))
                .withDatabase("service", "service")
                .withSizes(32, 100)
                .withDurability(durability));
    server.initialise().start();
    return new PostgresDatabase(server);
  }

  @Override
  public String url() {
    return server.jdbcUrl();
  }

  @Override
  public String user() {
    return server.options().user();
  }

  @Override
  public String countWaiting() {
    return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  }

  @Override
  public void crashAndStart() {
    server.crash();
    server.start();
  }

  @Override
  public void close() {
    server.close();
  }
}
