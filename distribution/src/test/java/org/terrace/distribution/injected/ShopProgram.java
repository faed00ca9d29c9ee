package org.terrace.distribution.injected;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;

/**
 * A service as others write it, without any of Terrace: each page asks PostgreSQL and then MariaDB,
 * over connections that it borrows from a pool. It holds enough live objects that a collection of
 * all of them stops it for a while.
 */
final class ShopProgram {
  static final int THREADS = 16;
  private static final int LIVE_OBJECTS = 2_000_000;
  private static final int BACKLOG = 128;

  private ShopProgram() {}

  /** The statement that one page sends to one of its databases. */
  private record Question(Connection connection, PreparedStatement statement) {
    static Question over(String url, String sql) throws SQLException {
      Connection connection = DriverManager.getConnection(url);
      return new Question(connection, connection.prepareStatement(sql));
    }

    String ask(int item) throws SQLException {
      statement.setInt(1, item);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : "nothing";
      }
    }
  }

  /**
   * Serves until it is ended.
   *
   * @param arguments its address and port, the port at which a collection is asked for, the URL of
   *     PostgreSQL and that of MariaDB
   */
  public static void main(String[] arguments) throws Exception {
    List<long[]> live = new ArrayList<>(LIVE_OBJECTS);
    for (int i = 0; i < LIVE_OBJECTS; i++) {
      live.add(new long[] {i});
    }
    BlockingQueue<Question> items = new ArrayBlockingQueue<>(THREADS);
    BlockingQueue<Question> reviews = new ArrayBlockingQueue<>(THREADS);
    for (int i = 0; i < THREADS; i++) {
      items.add(Question.over(arguments[3], "SELECT name FROM item WHERE id = ?"));
      reviews.add(Question.over(arguments[4], "SELECT words FROM review WHERE item = ?"));
    }
    serve(
        arguments[0], Integer.parseInt(arguments[1]), exchange -> answer(exchange, items, reviews));
    serve(
        "127.0.0.1",
        Integer.parseInt(arguments[2]),
        exchange -> {
          System.gc();
          send(exchange, 200, "collected, of " + live.size() + " all live\n");
        });
    System.out.println("ready");
  }

  private static void serve(String address, int port, com.sun.net.httpserver.HttpHandler handler)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
    server.createContext("/", handler);
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.start();
  }

  private static void answer(
      HttpExchange exchange, BlockingQueue<Question> items, BlockingQueue<Question> reviews)
      throws IOException {
    int item = Integer.parseInt(exchange.getRequestURI().getQuery());
    try {
      send(exchange, 200, ask(items, item) + ": " + ask(reviews, item) + "\n");
    } catch (SQLException | InterruptedException e) {
      send(exchange, 500, e + "\n");
    }
  }

  private static String ask(BlockingQueue<Question> pool, int item)
      throws SQLException, InterruptedException {
    Question question = pool.take();
    try {
      return question.ask(item);
    } finally {
      pool.add(question);
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
