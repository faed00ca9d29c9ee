package org.terrace.distribution.injected;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;
import org.terrace.databases.mariadb.MariaDbOptions;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.testing.Await;

/**
 * A shop of servers that know nothing of Terrace: nginx, a Java service, PostgreSQL and MariaDB,
 * each at an address of its own from which it also calls. Each writes the log that its operator
 * would have switched on.
 */
final class ForeignShop implements AutoCloseable {
  static final String NGINX = "nginx";
  static final String SHOP = "shop";
  static final String POSTGRES = "items";
  static final String MARIADB = "reviews";
  static final String NETWORK = "127.0.71.0/24";
  static final String VISITOR = "127.0.71.9";
  static final int ITEMS = 1_000;

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String NGINX_ADDRESS = "127.0.71.1";
  private static final String SHOP_ADDRESS = "127.0.71.2";
  private static final String POSTGRES_ADDRESS = "127.0.71.3";
  private static final String MARIADB_ADDRESS = "127.0.71.4";

  private final Path folder;
  private final int nginxPort = freePort(NGINX_ADDRESS);
  private final int shopPort = freePort(SHOP_ADDRESS);
  private final int collectPort = freePort("127.0.0.1");
  private final PostgresServer postgres;
  private final MariaDbServer mariaDb;
  private final HttpClient direct = HttpClient.newHttpClient();
  private ChildProcess shop;
  private Process nginx;

  /** Starts all four. */
  @SuppressWarnings("NullAway.Init")
  ForeignShop(Path folder) throws Exception {
    this.folder = folder;
    postgres =
        new PostgresServer(
            PostgresOptions.at(POSTGRES_ADDRESS, freePort(POSTGRES_ADDRESS))
                .withSetting("deadlock_timeout", "20ms")
                .withSetting("log_lock_waits", "on"));
    mariaDb =
        new MariaDbServer(
            MariaDbOptions.at(MARIADB_ADDRESS, freePort(MARIADB_ADDRESS), "shop")
                .withSetting("slow-query-log", "1")
                .withSetting("long-query-time", "0")
                .withSetting("log-output", "TABLE"));
    try {
      startDatabases();
      shop =
          ChildProcess.start(
              new ProcessBuilder(
                  JavaCommand.of(
                      List.of(
                          "-XX:+UseSerialGC",
                          "-Xms400m",
                          "-Xmx400m",
                          "-Xlog:gc,safepoint:file=" + shopLog() + ":time,tags"),
                      ShopProgram.class,
                      SHOP_ADDRESS,
                      String.valueOf(shopPort),
                      String.valueOf(collectPort),
                      from(SHOP_ADDRESS, postgres.jdbcUrl(), "board"),
                      from(SHOP_ADDRESS, mariaDb.jdbcUrl(), "shop"))));
      shop.awaitReady();
      nginx = startNginx();
      if (!Await.until(SOON, this::isServing)) {
        throw new IOException(
            "nginx was not ready: " + Files.readString(folder.resolve("nginx.log")));
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  /** The URL of a database with which a user at an address of its own asks it. */
  private static String from(String address, String url, String user) {
    return url
        + (url.contains("?") ? "&" : "?")
        + "localSocketAddress=%s&user=%s".formatted(address, user);
  }

  private void startDatabases() throws SQLException {
    postgres.initialise().start();
    mariaDb.initialise().start();
    try (Connection items = postgres();
        Connection reviews = mariaDb();
        Statement item = items.createStatement();
        Statement review = reviews.createStatement()) {
      item.execute("CREATE TABLE item (id int PRIMARY KEY, name text)");
      item.execute(
          "INSERT INTO item SELECT n, 'item ' || n FROM generate_series(0, %d) n"
              .formatted(ITEMS - 1));
      review.execute("CREATE TABLE review (item int PRIMARY KEY, words text)");
      review.execute(
          "INSERT INTO review SELECT seq, concat('good ', seq) FROM seq_0_to_%d"
              .formatted(ITEMS - 1));
    }
  }

  private Process startNginx() throws IOException {
    Path settings = folder.resolve("nginx.conf");
    Files.writeString(
        settings,
        """
        daemon off;
        worker_processes 1;
        pid FOLDER/nginx.pid;
        error_log FOLDER/nginx.log;
        events { worker_connections 256; }
        http {
          access_log off;
          client_body_temp_path FOLDER/body;
          proxy_temp_path FOLDER/proxy;
          fastcgi_temp_path FOLDER/fastcgi;
          uwsgi_temp_path FOLDER/uwsgi;
          scgi_temp_path FOLDER/scgi;
          keepalive_requests 1000000;
          upstream shop { server SHOP; keepalive 64; keepalive_requests 1000000; }
          server {
            listen NGINX;
            location / {
              proxy_pass http://shop;
              proxy_bind ADDRESS;
              proxy_http_version 1.1;
              proxy_set_header Connection "";
            }
          }
        }
        """
            .replace("FOLDER", folder.toString())
            .replace("SHOP", SHOP_ADDRESS + ":" + shopPort)
            .replace("NGINX", NGINX_ADDRESS + ":" + nginxPort)
            .replace("ADDRESS", NGINX_ADDRESS));
    return Keeper.ofThisProcess()
        .start(
            new ProcessBuilder("nginx", "-c", settings.toString(), "-p", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.out").toFile()));
  }

  private boolean isServing() {
    try {
      return get(direct, page(0)).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** The address of a page. */
  URI page(int item) {
    return URI.create("http://" + NGINX_ADDRESS + ":" + nginxPort + "/?" + item);
  }

  /** Asks for a page or a collection and waits for the answer. */
  static HttpResponse<String> get(HttpClient client, URI uri) throws IOException {
    try {
      return client.send(
          HttpRequest.newBuilder(uri).timeout(SOON).build(),
          HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Has the Java service collect all its garbage, by a connection that is not captured. */
  void collectGarbage() throws IOException {
    get(direct, URI.create("http://127.0.0.1:" + collectPort + "/"));
  }

  Connection postgres() throws SQLException {
    return DriverManager.getConnection(from(VISITOR, postgres.jdbcUrl(), "board"));
  }

  Connection mariaDb() throws SQLException {
    return DriverManager.getConnection(from(VISITOR, mariaDb.jdbcUrl(), "shop"));
  }

  /** The numbers of nginx's processes. */
  List<String> processesOfNginx() {
    return LongStream.concat(
            LongStream.of(nginx.pid()), nginx.descendants().mapToLong(ProcessHandle::pid))
        .mapToObj(String::valueOf)
        .toList();
  }

  /** The endpoint of each server by its name, as a file for {@code --tiers}. */
  Path tiers(Path file) throws IOException {
    return Files.writeString(
        file,
        """
        nginx: {tier: web, addresses: ['%s:%d']}
        shop: {tier: app, addresses: ['%s:%d']}
        items: {tier: database, addresses: ['%s:%d']}
        reviews: {tier: database, addresses: ['%s:%d']}
        """
            .formatted(
                NGINX_ADDRESS,
                nginxPort,
                SHOP_ADDRESS,
                shopPort,
                POSTGRES_ADDRESS,
                postgres.options().port(),
                MARIADB_ADDRESS,
                mariaDb.options().port()));
  }

  /** The name of a server that packets alone show by its address. */
  static String nameOf(String server) {
    return switch (server.split(":", -1)[0]) {
      case NGINX_ADDRESS -> NGINX;
      case SHOP_ADDRESS -> SHOP;
      case POSTGRES_ADDRESS -> POSTGRES;
      case MARIADB_ADDRESS -> MARIADB;
      default -> server;
    };
  }

  Path shopLog() {
    return folder.resolve("shop.log");
  }

  /** A copy of MariaDB's table of slow statements so far. */
  Path mariaDbLog() throws IOException, SQLException {
    try (Connection connection = mariaDb();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@datadir")) {
      row.next();
      Path copy = folder.resolve("slow_log.CSV");
      return Files.copy(Path.of(row.getString(1), "mysql", "slow_log.CSV"), copy);
    }
  }

  /** A copy of PostgreSQL's log so far. */
  Path postgresLog() throws IOException {
    Path data = postgres.dataDirectory();
    return Files.copy(
        data.resolveSibling(data.getFileName() + ".log"), folder.resolve("items.log"));
  }

  /**
   * Ends the first process before its workers, which it would start again. Asked in order, it ends
   * them itself.
   */
  private void endNginx() {
    List<ProcessHandle> workers = nginx.descendants().toList();
    nginx.destroy();
    try {
      nginx.waitFor(SOON.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    nginx.destroyForcibly().onExit().join();
    workers.forEach(ProcessHandle::destroyForcibly);
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    if (nginx != null) {
      endNginx();
    }
    if (shop != null) {
      shop.close();
    }
    mariaDb.close();
    postgres.close();
    direct.close();
  }
}
