package org.terrace.invocation.retention;

import java.io.IOException;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;

/** A real MariaDB. */
public record MariaDbDatabase(MariaDbServer server) implements TestDatabase {
  private static final String ADDRESS = "127.22.1.2";

  /** The server; fails where there is none. */
  public static MariaDbDatabase start() throws IOException {
    return start(options().withoutDurability());
  }

  /** The server, whose commits survive its crash; fails where there is none. */
  public static MariaDbDatabase startDurable() throws IOException {
    return start(options());
  }

  private static MariaDbOptions options() throws IOException {
    return MariaDbOptions.at(ADDRESS, TestDatabase.freePort(ADDRESS), "service");
  }

  private static MariaDbDatabase start(MariaDbOptions options) {
    MariaDbServer server = new MariaDbServer(options);
    server.initialise().start();
    return new MariaDbDatabase(server);
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
    return "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
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
