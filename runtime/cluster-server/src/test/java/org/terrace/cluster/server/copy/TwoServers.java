package org.terrace.cluster.server.copy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

/** A server to copy from and one to copy to, of one engine. */
public final class TwoServers implements AutoCloseable {
  /** The name of the database at each, and of the role that owns it. */
  public static final String DATABASE = "shop";

  private final List<Runnable> closing = new ArrayList<>();
  private final List<String> urls = new ArrayList<>();

  /** Starts two servers of an engine. */
  public TwoServers(String engine) throws IOException {
    for (int i = 1; i <= 2; i++) {
      String address = "127.14.30." + i;
      if (engine.equals("postgresql")) {
        PostgresServer server =
            new PostgresServer(
                PostgresOptions.at(address, freePort(address))
                    .withDatabase(DATABASE, DATABASE)
                    .withSizes(16, 20)
                    .withDurability(Durability.NONE));
        closing.add(server::close);
        server.initialise().start();
        urls.add(server.jdbcUrl());
      } else {
        MariaDbServer server =
            new MariaDbServer(
                MariaDbOptions.at(address, freePort(address), DATABASE)
                    .withSetting("innodb-buffer-pool-size", "16M")
                    .withoutDurability());
        closing.add(server::close);
        server.initialise().start();
        urls.add(server.jdbcUrl());
      }
    }
  }

  String url(int server) {
    return urls.get(server);
  }

  /** A connection to one of them. */
  public Connection connect(int server) throws SQLException {
    return DriverManager.getConnection(urls.get(server), DATABASE, "");
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
  }
}
