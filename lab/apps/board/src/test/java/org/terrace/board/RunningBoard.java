package org.terrace.board;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.terrace.board.data.Shape;
import org.terrace.core.TimeSource;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

/**
 * A small board on a real database and a real server, started once for all test classes that ask
 * for it as a parameter. Tests share it: each writes things of its own and looks at those.
 */
public final class RunningBoard implements AutoCloseable {
  static final String DATABASE_ADDRESS = "127.14.4.9";
  static final String SERVER_ADDRESS = "127.14.2.9";
  static final Shape SHAPE = new Shape(0.002, 1, LocalDate.of(2026, 6, 30));

  /** Held, since a logger that nobody holds forgets its level. */
  private static final Logger LIBRARIES = Logger.getLogger("");

  private final PostgresServer postgres;
  private final BoardServer server;

  private RunningBoard() {
    LIBRARIES.setLevel(Level.WARNING);
    postgres =
        new PostgresServer(
            PostgresOptions.at(DATABASE_ADDRESS, freePort())
                .withSizes(32, 60)
                .withDurability(Durability.NONE));
    postgres.initialise().start();
    try (Connection connection = connect()) {
      PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
      new BoardLoader(silent, TimeSource.system()).load(connection, SHAPE, false);
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
    server = start("app1", List.of());
  }

  /** Gives test methods and classes the one running board. */
  public static final class Resolver implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == RunningBoard.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.GLOBAL)
          .computeIfAbsent(RunningBoard.class, type -> new RunningBoard(), RunningBoard.class);
    }
  }

  /** One more application server over the same database; the caller closes it. */
  BoardServer anotherServer(String name) {
    return start(name, List.of(server.groupAddress()));
  }

  /** One more, which has the others looked up by a name; the caller closes it. */
  BoardServer anotherServerByName(String name) {
    InetSocketAddress other = server.groupAddress();
    return start(
        name, List.of(InetSocketAddress.createUnresolved(SERVER_ADDRESS, other.getPort())));
  }

  /** One more, which finds the others by way of a contact; the caller closes it. */
  BoardServer anotherServer(String name, LateContact contact) {
    return start(name, List.of(contact.address()));
  }

  /** A contact that is there and lets packets to this board's server pass after a while. */
  LateContact lateContact(Duration silent) {
    return new LateContact(SERVER_ADDRESS, server.groupAddress(), silent);
  }

  private BoardServer start(String name, List<InetSocketAddress> contacts) {
    return BoardServer.start(
        new BoardServerOptions(
            name,
            SERVER_ADDRESS,
            0,
            databaseUrl(),
            "board",
            "",
            SERVER_ADDRESS,
            8,
            20,
            1_000,
            0,
            List.of(),
            contacts,
            ""));
  }

  /** A visitor with cookies of his own. */
  Visitor visitor() {
    return new Visitor(url());
  }

  String url() {
    return "http://" + SERVER_ADDRESS + ":" + server.port();
  }

  String databaseUrl() {
    return postgres.jdbcUrl();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(databaseUrl(), "board", "");
  }

  /** The first column of the first row of a query. */
  long number(String query) throws SQLException {
    try (Connection connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(DATABASE_ADDRESS))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    postgres.close();
  }
}
