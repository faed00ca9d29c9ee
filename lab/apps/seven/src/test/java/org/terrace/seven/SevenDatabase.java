package org.terrace.seven;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

/** A PostgreSQL server, started once for all test classes that ask for it as a parameter. */
public final class SevenDatabase implements AutoCloseable {
  private static final String ADDRESS = "127.25.1.1";
  private static final String USER = "board";

  private final PostgresServer postgres =
      new PostgresServer(
          PostgresOptions.at(ADDRESS, freePort())
              .withSizes(32, 60)
              .withDurability(Durability.NONE));

  private SevenDatabase() {
    postgres.initialise().start();
  }

  /** Gives test methods the one running database. */
  public static final class Resolver implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == SevenDatabase.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.GLOBAL)
          .computeIfAbsent(SevenDatabase.class, type -> new SevenDatabase(), SevenDatabase.class);
    }
  }

  public String url() {
    return postgres.jdbcUrl();
  }

  public String user() {
    return USER;
  }

  /** A connection that commits each statement. */
  public Connection connect() {
    try {
      return DriverManager.getConnection(url(), USER, "");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    postgres.close();
  }
}
