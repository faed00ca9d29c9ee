package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.core.PoolMetrics.Usage;
import org.terrace.core.TerraceException;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresOptions.Durability;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

@Tag("real-processes")
@Tag("untimed")
class ControllerTest {
  private static final String ADDRESS = "127.14.30.1";
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String SECRET = "a long word that only they know";

  private static PostgresServer server;
  private static ClusterDataSource source;
  private static ControllerServer controller;

  @TempDir static Path directory;

  @BeforeAll
  static void start() throws Exception {
    int port = freePort();
    server =
        new PostgresServer(
            PostgresOptions.at(ADDRESS, port)
                .withDatabase("shop", "shop")
                .withSizes(16, 40)
                .withDurability(Durability.NONE));
    server.initialise().start();
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    source =
        ClusterDataSource.open(
            "jdbc:terrace:postgresql://%s:%d/shop".formatted(ADDRESS, port), properties);
    controller = ControllerServer.start(source, "shop", ADDRESS, 0, SECRET);
    Files.writeString(directory.resolve("secret"), SECRET + "\n");
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric, day date, sold bool)");
    }
  }

  @AfterAll
  static void stop() {
    controller.close();
    source.close();
    server.close();
  }

  @Test
  void aSessionIsOneTransactionThatOthersSeeWhenItIsCommitted() throws SQLException {
    try (Connection writer = connect();
        Connection reader = connect()) {
      writer.setAutoCommit(false);
      assertThat(insert(writer, 1)).isEqualTo(1);
      assertThat(count(reader, 1)).isZero();
      writer.commit();
      assertThat(count(reader, 1)).isEqualTo(1);
      insert(writer, 2);
      writer.rollback();
      assertThat(count(reader, 2)).isZero();
      insert(writer, 3);
    }
    try (Connection later = connect()) {
      insert(later, 3);
      assertThat(count(later, 3)).isEqualTo(1);
    }
  }

  @Test
  void aWriteThatWaitsForAnothersLockIsSeenInThePools() throws Exception {
    Supplier<Usage> lock = source.pools().get("write-lock").usage();
    try (Connection first = connect();
        Connection second = connect()) {
      insert(first, 30);
      first.setAutoCommit(false);
      update(first, 30);
      assertThat(lock.get().inUse()).isZero();

      CompletableFuture<Integer> waiting =
          CompletableFuture.supplyAsync(() -> update(second, 30), Thread::startVirtualThread);
      assertThat(Await.until(SOON, () -> lock.get().inUse() == 1)).isTrue();
      assertThat(lock.get()).isEqualTo(new Usage(2, 1));
      first.commit();

      assertThat(waiting).succeedsWithin(SOON).isEqualTo(1);
      assertThat(lock.get().inUse()).isZero();
    }
    assertThat(source.pools().get("pending-writes").usage().get()).isEqualTo(new Usage(16, 0));
  }

  private static int update(Connection connection, int id) {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate("UPDATE item SET name = 'other' WHERE id = " + id);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void valuesComeBackAsTheyWereGiven() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO item VALUES (?, ?, ?, ?, ?) RETURNING *, NULL AS none")) {
      statement.setInt(1, 10);
      statement.setString(2, "Ωμέγα 'x'");
      statement.setBigDecimal(3, new BigDecimal("12.50"));
      statement.setObject(4, LocalDate.of(2026, 6, 30));
      statement.setBoolean(5, true);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong("ID")).isEqualTo(10);
        assertThat(rows.getString(2)).isEqualTo("Ωμέγα 'x'");
        assertThat(rows.getBigDecimal(3)).isEqualTo("12.50");
        assertThat(rows.getObject(4, LocalDate.class)).isEqualTo(LocalDate.of(2026, 6, 30));
        assertThat(rows.getBoolean(5)).isTrue();
        assertThat(rows.getInt("none")).isZero();
        assertThat(rows.wasNull()).isTrue();
        assertThat(rows.next()).isFalse();
        assertThatThrownBy(() -> rows.getInt(2)).hasMessageContaining("There is no row");
      }
    }
  }

  @Test
  void failuresHaveTheirStatesAndLeaveTheSession() throws SQLException {
    try (Connection connection = connect()) {
      insert(connection, 20);
      assertThatThrownBy(() -> insert(connection, 20))
          .isInstanceOf(SQLException.class)
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo("23505");
      assertThatThrownBy(() -> connection.prepareStatement("LOCK TABLE item").executeUpdate())
          .hasMessageContaining("Instead: ");
      assertThat(count(connection, 20)).isEqualTo(1);
      assertThatThrownBy(connection::createBlob)
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("createBlob");
    }
  }

  @Test
  void whoDoesNotKnowTheSecretOrTheDatabaseIsRefused() throws IOException {
    Path wrong = Files.writeString(directory.resolve("wrong"), "guess");
    assertThatThrownBy(() -> DriverManager.getConnection(url("shop", wrong)))
        .hasMessageContaining("secret");
    assertThatThrownBy(() -> DriverManager.getConnection(url("other", directory.resolve("secret"))))
        .hasMessageContaining("no database 'other'");
    assertThatThrownBy(() -> ControllerServer.start(source, "shop", "0.0.0.0", 0, ""))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("needs a secret");
  }

  @Test
  void whoSendsNoFramesIsLeftWhileOthersAreServed() throws Exception {
    try (Socket socket = new Socket(ADDRESS, controller.port());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        Connection connection = connect()) {
      out.writeInt(Integer.MAX_VALUE);
      out.flush();
      socket.setSoTimeout(60_000);
      socket.getInputStream().readAllBytes();
      assertThat(connection.isValid(1)).isTrue();
    }
  }

  @Test
  void whoGreetsByteByByteIsLeftWhenTheTimeForAllOfThemIsOver() throws Exception {
    try (Socket socket = new Socket(ADDRESS, controller.port());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
      out.writeInt(4_000);
      assertThat(Await.until(SOON.plus(SOON), () -> isGone(out))).isTrue();
    }
  }

  private static boolean isGone(DataOutputStream out) {
    try {
      out.writeByte(1);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void whoShowsNoSecretTakesNoPlaceOfThoseWhoDo() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (Connection connection = connect()) {
      for (int i = 0; i < ControllerServer.GREETING_MAX + 20; i++) {
        silent.add(new Socket(ADDRESS, controller.port()));
      }
      Socket last = silent.getLast();
      last.setSoTimeout(60_000);
      assertThat(last.getInputStream().readAllBytes()).isEmpty();
      assertThat(connection.isValid(1)).isTrue();
      silent.subList(0, silent.size() / 2).forEach(ControllerTest::close);
      assertThat(Await.until(SOON, ControllerTest::isTaken)).isTrue();
    } finally {
      silent.forEach(ControllerTest::close);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isTaken() {
    try (Connection another = connect()) {
      return another.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  @Test
  void whoGreetsWithDamageIsLeftAndBreaksNoThread() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("ControllerTest.greetings"));
    Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> broken.add(failure));
    try (Connection connection = connect()) {
      for (int i = 0; i < 100; i++) {
        byte[] greeting = new byte[random.nextInt(1, 60)];
        random.nextBytes(greeting);
        greeting[0] = ControllerFrame.VERSION;
        try (Socket socket = new Socket(ADDRESS, controller.port());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
          out.writeInt(greeting.length);
          out.write(greeting);
          out.flush();
          socket.setSoTimeout(60_000);
          socket.getInputStream().readAllBytes();
        }
      }
      assertThat(connection.isValid(1)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(broken).isEmpty();
  }

  private static int insert(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO item (id, name) VALUES (?, ?)")) {
      statement.setInt(1, id);
      statement.setString(2, "item " + id);
      return statement.executeUpdate();
    }
  }

  private static int count(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT count(*) FROM item WHERE id = ?")) {
      statement.setInt(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return rows.getInt(1);
      }
    }
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(url("shop", directory.resolve("secret")));
  }

  private static String url(String database, Path secret) {
    return "jdbc:terrace:controller://%s:%d/%s?secretFile=%s"
        .formatted(ADDRESS, controller.port(), database, secret);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      return socket.getLocalPort();
    }
  }
}
