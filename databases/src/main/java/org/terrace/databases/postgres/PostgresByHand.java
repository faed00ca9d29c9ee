package org.terrace.databases.postgres;

import java.util.concurrent.CountDownLatch;
import org.terrace.core.TerraceException;

/**
 * A program that runs an empty database until it is told to end, for trying out what needs one:
 * {@code PostgresByHand ADDRESS PORT}. It prints the URL for JDBC when the database is ready.
 */
public final class PostgresByHand {
  private PostgresByHand() {}

  /** Runs the database; ends it, and forgets its data, on Ctrl-C or SIGTERM. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 2 || !arguments[1].matches("[0-9]{1,5}")) {
      System.err.println("Usage: PostgresByHand ADDRESS PORT, such as 127.0.4.1 5432");
      System.exit(2);
    }
    try {
      PostgresServer server =
          new PostgresServer(PostgresOptions.at(arguments[0], Integer.parseInt(arguments[1])));
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end"));
      server.initialise().start();
      System.out.println(server.jdbcUrl() + " user " + server.options().user());
    } catch (TerraceException e) {
      System.err.println(e.getMessage());
      System.exit(e.code().exitCode());
    }
    new CountDownLatch(1).await();
  }
}
