package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Commits that wait for the first server or for most, while rows of the others are locked. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class WriteStrategiesTest {
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration WHILE = Duration.ofMillis(400);
  private static final String LOTS = "SELECT id, amount FROM lot ORDER BY id";

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aServerThatIsBehindFollows(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 3)) {
      String log = "&log=" + directory.resolve(engine);
      try (ClusterDataSource source =
          replicas.open("?writes=wait-first&maxBehind=4&scheduling=key" + log)) {
        makeLots(source);
        theFirstServerIsEnough(source, replicas);
      }
      sameEverywhere(replicas, 0, 1, 2);
      try (ClusterDataSource source = replicas.open("?writes=majority&scheduling=key" + log)) {
        mostServersAreNeeded(source, replicas);
      }
      sameEverywhere(replicas, 0, 1, 2);
      try (ClusterDataSource source = replicas.open("?writes=wait-first" + log)) {
        whoFailsLateIsTakenOut(source, replicas);
      }
      sameEverywhere(replicas, 0, 1);
    }
  }

  private static void makeLots(ClusterDataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE lot (id INT PRIMARY KEY, amount BIGINT NOT NULL)");
      statement.executeUpdate("INSERT INTO lot VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
    }
  }

  private static void theFirstServerIsEnough(ClusterDataSource source, RealReplicas replicas)
      throws Exception {
    awaitLots(replicas);
    try (Connection connection = source.getConnection();
        Connection told = source.getConnection();
        Connection behind = replicas.direct(2)) {
      lock(behind);
      for (int amount = 1; amount <= 4; amount++) {
        execute(connection, "UPDATE lot SET amount = " + amount + " WHERE id = 1");
        for (int i = 0; i < 9; i++) {
          assertThat(RealReplicas.rows(connection, "SELECT amount FROM lot WHERE id = 1"))
              .isEqualTo(amount + "\n");
          told.setClientInfo("terrace.seen", connection.getClientInfo("terrace.seen"));
          assertThat(RealReplicas.rows(told, "SELECT amount FROM lot WHERE id = 1"))
              .isEqualTo(amount + "\n");
        }
      }
      assertThat(replicas.everywhere(LOTS, 2).getFirst()).startsWith("1|0\n");

      CompletableFuture<Void> tooMuch =
          CompletableFuture.runAsync(
              () -> execute(connection, "UPDATE lot SET amount = 5 WHERE id = 1"));
      assertThat(Await.until(WHILE, tooMuch::isDone))
          .as("the fifth that one server is behind")
          .isFalse();
      behind.rollback();
      assertThat(Await.until(LONGEST, tooMuch::isDone)).isTrue();
      tooMuch.get();
    }
    assertThat(source.losses()).isEmpty();
  }

  private static void mostServersAreNeeded(ClusterDataSource source, RealReplicas replicas)
      throws SQLException, InterruptedException, ExecutionException {
    try (Connection connection = source.getConnection();
        Connection behind = replicas.direct(2);
        Connection another = replicas.direct(0)) {
      lock(behind);
      execute(connection, "UPDATE lot SET amount = 6 WHERE id = 1");
      assertThat(RealReplicas.rows(connection, "SELECT amount FROM lot WHERE id = 1"))
          .isEqualTo("6\n");
      behind.rollback();
      lock(behind);
      lock(another);
      CompletableFuture<Void> fewer =
          CompletableFuture.runAsync(
              () -> execute(connection, "UPDATE lot SET amount = 7 WHERE id = 1"));
      assertThat(Await.until(WHILE, fewer::isDone)).as("a write at one of three").isFalse();
      another.rollback();
      assertThat(Await.until(LONGEST, fewer::isDone)).isTrue();
      fewer.get();
      behind.rollback();
    }
    assertThat(source.losses()).isEmpty();
  }

  /** A server that lacks a row comes to another number of rows, after the client was answered. */
  private static void whoFailsLateIsTakenOut(ClusterDataSource source, RealReplicas replicas)
      throws Exception {
    try (Connection connection = source.getConnection();
        Connection behind = replicas.direct(2)) {
      execute(behind, "DELETE FROM lot WHERE id = 4");
      lock(behind);
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE lot SET amount = 8 WHERE id = 1");
        // What has been answered cannot be cancelled any more, also where it still runs.
        statement.cancel();
      }
      execute(connection, "UPDATE lot SET amount = 8 WHERE id = 4");
      connection.commit();
      assertThat(source.losses()).isEmpty();
      behind.rollback();
      assertThat(Await.until(LONGEST, () -> !source.losses().isEmpty())).isTrue();
      assertThat(source.losses()).containsOnlyKeys(replicas.place(2));
      assertThat(source.losses().get(replicas.place(2))).contains("otherwise");
    }
  }

  private static void awaitLots(RealReplicas replicas) throws InterruptedException {
    assertThat(
            Await.until(
                LONGEST,
                () -> {
                  try {
                    return new HashSet<>(replicas.everywhere(LOTS, 0, 1, 2)).size() == 1;
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                }))
        .isTrue();
  }

  private static void sameEverywhere(RealReplicas replicas, int... servers) throws SQLException {
    assertThat(new HashSet<>(replicas.everywhere(LOTS, servers))).hasSize(1);
  }

  private static void lock(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    execute(connection, "SELECT * FROM lot WHERE id = 1 FOR UPDATE");
  }

  private static void execute(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
