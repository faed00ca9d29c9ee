package shop;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.terrace.core.process.ChildProcess;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;

/** The whole shop on one machine: a PostgreSQL and two replicas, each a process of its own. */
public final class Shop implements AutoCloseable {
  private final Places places;
  private final PostgresServer database;
  private final List<ChildProcess> replicas = new ArrayList<>();

  private Shop(Places places) throws IOException, SQLException {
    this.places = places;
    database =
        new PostgresServer(
            PostgresOptions.at(places.databaseHost(), Places.DATABASE_PORT)
                .withDatabase("shop", "shop")
                .withClientNetworks(List.of("127.0.0.0/8")));
    try {
      database.initialise().start();
      try (Connection connection = DriverManager.getConnection(places.jdbcUrl());
          Statement statement = connection.createStatement()) {
        statement.execute(OrderBook.SCHEMA);
      }
      for (int number = 1; number <= Places.REPLICAS; number++) {
        replicas.add(start(number));
      }
    } catch (IOException | SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts the shop at loopback addresses with a prefix such as {@code 127.80.1}. */
  static Shop open(Places places) throws IOException, SQLException {
    return new Shop(places);
  }

  /** Starts a replica as a process that runs this program's Java and class path. */
  private ChildProcess start(int number) throws IOException {
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ShopReplica.class.getName(),
                    places.prefix(),
                    Integer.toString(number))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    process.awaitReady(); // or it is ended
    return process;
  }

  /** The process of a replica, 1 or 2. */
  Process replica(int number) {
    return replicas.get(number - 1).process();
  }

  @Override
  public void close() {
    for (ChildProcess replica : replicas) {
      replica.kill();
    }
    database.close();
  }

  /** Starts the shop, tells where it is, and ends it on Ctrl-C. */
  public static void main(String[] arguments) throws Exception {
    Places places = new Places(arguments.length > 0 ? arguments[0] : "127.80.1");
    Shop shop = open(places);
    Runtime.getRuntime().addShutdownHook(new Thread(shop::close));
    for (int number = 1; number <= Places.REPLICAS; number++) {
      System.out.println(
          "replica "
              + number
              + "  http:/"
              + places.web(number)
              + "/cart  pid "
              + shop.replica(number).pid());
    }
    System.out.println("Ctrl-C ends the shop.");
    new CountDownLatch(1).await();
  }
}
