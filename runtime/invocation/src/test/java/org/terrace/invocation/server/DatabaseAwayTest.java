package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.Style;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;

/** A replica that is started while its database is away. */
@Tag("real-processes")
class DatabaseAwayTest {
  private static final String ADDRESS = "127.22.1.3";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long AWAY_MILLIS = 1_500;

  /** Counts in the database. */
  interface Counter {
    @Update
    long count() throws SQLException;
  }

  private static PostgresDatabase postgres;
  private HikariDataSource pool;

  @BeforeAll
  static void start() throws Exception {
    postgres = PostgresDatabase.startDurable();
    try (HikariDataSource setUp = postgres.pool(1);
        Connection connection = setUp.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE counted (count bigint NOT NULL)");
      statement.execute("INSERT INTO counted VALUES (0)");
      connection.commit();
    }
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  private HikariDataSource pool(String user) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(postgres.url());
    config.setUsername(user);
    config.setMaximumPoolSize(4);
    config.setAutoCommit(false);
    config.setConnectionTimeout(500);
    config.setInitializationFailTimeout(-1);
    pool = new HikariDataSource(config);
    return pool;
  }

  private static long count() throws SQLException {
    try (var statement = Invocation.current().connection().createStatement();
        var row = statement.executeQuery("UPDATE counted SET count = count + 1 RETURNING count")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  @Tag("long")
  void itWaitsListensNowhereMeanwhileAndServesWhenTheDatabaseIsBack() throws Exception {
    InetSocketAddress address = new InetSocketAddress(ADDRESS, TestDatabase.freePort(ADDRESS));
    ServerOptions options =
        ServerOptions.of("first").withAddress(address).withDatabase(pool(postgres.user()));
    postgres.server().crash();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<ServiceServer> opening =
          CompletableFuture.supplyAsync(() -> ServiceServer.open(options), threads);
      assertThatThrownBy(() -> opening.get(AWAY_MILLIS, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThatThrownBy(() -> new Socket(address.getAddress(), address.getPort()).close())
          .isInstanceOf(IOException.class);

      postgres.server().start();
      try (ServiceServer server = opening.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        server.export("counter", Counter.class, DatabaseAwayTest::count, Style.WARM_PASSIVE);
        assertThat(server.isHealthy()).isTrue();
        try (ServiceClient client =
            ServiceClient.open(
                ClientOptions.of(Naming.fixed("counter", Style.WARM_PASSIVE, server.endpoint())))) {
          assertThat(client.stub(Counter.class, "counter").count()).isEqualTo(1);
        }
      }
    }
  }

  @Test
  @Tag("long")
  void itGivesUpWhenItsPatienceIsOver() {
    ServerOptions options =
        ServerOptions.of("first")
            .withDatabase(pool(postgres.user()))
            .withDatabasePatience(Duration.ofMillis(AWAY_MILLIS));
    postgres.server().crash();
    try {
      long start = TimeSource.system().elapsedNanos();
      assertThatThrownBy(() -> ServiceServer.open(options).close())
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("first cannot reach its database")
          .hasMessageContaining("Start the database");
      assertThat(TimeSource.system().elapsedNanos() - start)
          .isBetween(Duration.ofMillis(AWAY_MILLIS).toNanos(), LIMIT.toNanos());
    } finally {
      postgres.server().start();
    }
  }

  @Test
  void whatNoWaitMendsEndsItAtOnce() {
    ServerOptions options = ServerOptions.of("first").withDatabase(pool("somebody_else"));
    long start = TimeSource.system().elapsedNanos();

    assertThatThrownBy(() -> ServiceServer.open(options).close())
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("cannot reach its database");

    assertThat(TimeSource.system().elapsedNanos() - start)
        .isLessThan(Duration.ofSeconds(10).toNanos());
  }
}
