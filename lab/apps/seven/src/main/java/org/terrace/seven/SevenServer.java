package org.terrace.seven;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Probes;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.Endpoint;
import org.terrace.seven.application.Application;

/**
 * A replica of one of the seven services.
 *
 * <p>As a program it prints {@code ready HOST:PORT} when it can be called, with the key that the
 * middleware needs besides after a slash, and on SIGTERM ends the calls under way and writes its
 * probes. Opened and closed by one thread.
 */
public final class SevenServer implements AutoCloseable {
  /** Calls whose probes find room; further ones are counted and told. */
  private static final int PROBES_MAX = 400_000;

  private final ServerArguments arguments;
  private final DataSource connections;
  private final ServiceServer server;
  private final @Nullable Probes probes;

  private SevenServer(
      ServerArguments arguments,
      DataSource connections,
      ServiceServer server,
      @Nullable Probes probes) {
    this.arguments = arguments;
    this.connections = connections;
    this.server = server;
    this.probes = probes;
  }

  /** Runs a replica until the process is told to end; see {@link ServerArguments#USAGE}. */
  public static void main(String[] arguments) {
    Program.run("SevenServer", ServerArguments.USAGE, () -> serve(ServerArguments.of(arguments)));
  }

  private static int serve(ServerArguments arguments) throws Exception {
    SevenServer server = open(arguments);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end"));
    System.out.println("ready " + reached(server.endpoint()));
    new CountDownLatch(1).await();
    return 0;
  }

  /** A replica that can be called when this returns. */
  static SevenServer open(ServerArguments arguments) throws SQLException {
    prepare(arguments);
    DatabaseAddress database = arguments.database();
    DataSource connections =
        arguments.failOver().databasePool()
            ? database.pool(arguments.name(), arguments.pool())
            : database.withoutPool();
    Probes probes = arguments.probes().isPresent() ? Probes.of(arguments.name(), PROBES_MAX) : null;
    try {
      ServerOptions options =
          ServerOptions.of(arguments.name())
              .withAddress(arguments.listen())
              .withDatabase(connections)
              .withMiddleware(arguments.middleware())
              .withFailOver(arguments.failOver())
              .withManager(arguments.managers());
      ServiceServer server =
          ServiceServer.open(probes == null ? options : options.withProbes(probes));
      export(server, arguments.application(), arguments);
      return new SevenServer(arguments, connections, server, probes);
    } catch (RuntimeException e) {
      closeConnections(connections);
      throw e;
    }
  }

  private static void closeConnections(DataSource connections) {
    if (connections instanceof HikariDataSource pool) {
      pool.close();
    }
  }

  /** The endpoint of the replica. */
  Endpoint endpoint() {
    return server.endpoint();
  }

  /** Ends the replica and writes its probes. */
  @Override
  public void close() {
    server.close();
    closeConnections(connections);
    if (probes == null || arguments.probes().isEmpty()) {
      return;
    }
    try {
      probes.write(arguments.probes().get());
      if (probes.dropped() > 0) {
        System.err.println(
            "SevenServer: " + probes.dropped() + " calls found no room for their probes");
      }
    } catch (IOException e) {
      System.err.println("SevenServer: cannot write " + arguments.probes().get() + ": " + e);
    }
  }

  private static <S> void export(
      ServiceServer server, Application<S> application, ServerArguments arguments) {
    server.export(
        application.name(),
        application.service(),
        application.rules(TimeSource.system()),
        arguments.style());
  }

  private static void prepare(ServerArguments arguments) throws SQLException {
    Application<?> application = arguments.application();
    try (Connection connection = arguments.database().connect()) {
      if (arguments.reset()) {
        Installation.reset(application, connection);
      } else if (!Installation.isThere(application, connection)) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "The database at %s has no tables of %s: add --reset, or run SevenSetup first."
                .formatted(arguments.database().url(), application.name()));
      }
    }
  }

  private static String reached(Endpoint endpoint) {
    String address = endpoint.host() + ":" + endpoint.port();
    return endpoint.key().isEmpty() ? address : address + "/" + endpoint.key();
  }
}
