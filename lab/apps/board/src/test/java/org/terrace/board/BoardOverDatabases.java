package org.terrace.board;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.terrace.board.data.Shape;
import org.terrace.board.partitions.NdbLikeServers;
import org.terrace.core.TimeSource;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;

/** A small board over one server of an engine, or over a cluster of several. */
final class BoardOverDatabases implements AutoCloseable {
  /** SQL nodes before data nodes. */
  static final String NDB_LIKE = "ndb-like";

  private static final String SERVER_ADDRESS = "127.14.2.10";
  private static final Shape SHAPE = new Shape(0.0005, 1, LocalDate.of(2026, 6, 30));

  private final String engine;
  private final List<Runnable> closing = new ArrayList<>();
  private final List<String> urls = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private BoardServer server;

  private BoardOverDatabases(String engine, int count) throws Exception {
    this.engine = engine;
    if (engine.equals(NDB_LIKE)) {
      NdbLikeServers nodes = NdbLikeServers.start("127.94", count, true);
      closing.add(nodes::close);
      load(nodes.url());
      server = start(nodes.url());
      return;
    }
    for (int i = 0; i < count; i++) {
      add("127.14.4." + (20 + i));
    }
    server = start(count == 1 ? urls.getFirst() : clusterUrl());
  }

  static BoardOverDatabases open(String engine, int count) throws Exception {
    return new BoardOverDatabases(engine, count);
  }

  private void add(String address) throws Exception {
    int port = freePort(address);
    String url = engine.equals("mariadb") ? mariaDb(address, port) : postgres(address, port);
    load(url);
    urls.add(url);
    places.add(address + ":" + port);
  }

  private static void load(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url, "board", "")) {
      PrintStream silent = new PrintStream(OutputStream.nullOutputStream());
      new BoardLoader(silent, TimeSource.system()).load(connection, SHAPE, false);
    }
  }

  private String postgres(String address, int port) {
    PostgresServer server =
        new PostgresServer(
            PostgresOptions.at(address, port).withSizes(16, 30).withDurability(Durability.NONE));
    closing.add(server::close);
    server.initialise().start();
    return server.jdbcUrl();
  }

  private String mariaDb(String address, int port) {
    MariaDbServer server =
        new MariaDbServer(
            MariaDbOptions.at(address, port, "board")
                .withSetting("innodb-buffer-pool-size", "32M")
                .withWordsOfAnyLength()
                .withoutDurability());
    closing.add(server::close);
    server.initialise().start();
    return server.jdbcUrl();
  }

  private static BoardServer start(String url) {
    return BoardServer.start(
        new BoardServerOptions(
            "app1",
            SERVER_ADDRESS,
            0,
            url,
            "board",
            "",
            SERVER_ADDRESS,
            4,
            10,
            1_000,
            0,
            List.of(),
            List.of(),
            ""));
  }

  /** Serves over the first database alone, without a cluster. */
  void serveFirstAlone() {
    server.close();
    server = start(urls.getFirst());
  }

  /** The URL of the first database alone. */
  String firstUrl() {
    return urls.getFirst();
  }

  /** The URL of the databases as one. */
  String clusterUrl() {
    return "jdbc:terrace:%s://%s/board".formatted(engine, String.join(",", places));
  }

  Visitor visitor() {
    return new Visitor("http://" + SERVER_ADDRESS + ":" + server.port());
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    server.close();
    closing.forEach(Runnable::run);
  }
}
