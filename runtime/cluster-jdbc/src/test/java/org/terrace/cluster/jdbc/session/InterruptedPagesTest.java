package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * Clients that are interrupted while a further page of a result is fetched for them: an interrupt
 * closes the socket at which a virtual thread waits, and the transaction's connection with it.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class InterruptedPagesTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String GIVEN_UP = "57014";
  private static final String FAILED_BEFORE = "25P02";

  /** The way in which a client goes on that was interrupted. */
  private enum Then {
    ROLLS_BACK_AND_GOES_ON,
    CLOSES_STILL_INTERRUPTED
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void noServerIsTakenOutAndTheTransactionIsUndone(String engine) throws Exception {
    boolean isMariaDb = engine.equals("mariadb");
    // The first rows are sent at once, as they fill what a server keeps back.
    String slow =
        "SELECT id, repeat('x', 20000), CASE WHEN id > 7 THEN %s END FROM kept ORDER BY id"
            .formatted(isMariaDb ? "sleep(3600)" : "pg_sleep(3600)::text");
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("?functions=pg_sleep,sleep")) {
      try (Connection connection = source.getConnection()) {
        execute(connection, "CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
        for (int id = 1; id <= 9; id++) {
          execute(connection, "INSERT INTO kept VALUES (" + id + ", 0)");
        }
      }
      for (Thread.Builder threads :
          new Thread.Builder[] {Thread.ofVirtual(), Thread.ofPlatform()}) {
        for (Then then : Then.values()) {
          for (boolean writes : new boolean[] {true, false}) {
            interrupted(replicas, source, threads, then, writes, slow);
          }
        }
      }
      assertThat(source.losses()).isEmpty();
      try (Connection connection = source.getConnection()) {
        execute(connection, "UPDATE kept SET name = name + 3 WHERE id = 1");
      }
      String sum = "SELECT sum(name) FROM kept";
      assertThat(replicas.everywhere(sum, 0, 1)).as("what was undone").containsOnly("3\n");
    }
  }

  private static void interrupted(
      RealReplicas replicas,
      ClusterDataSource source,
      Thread.Builder threads,
      Then then,
      boolean writes,
      String slow)
      throws Exception {
    CompletableFuture<String> told = new CompletableFuture<>();
    Thread client =
        threads.start(() -> {
          try {
            told.complete(read(source, then, writes, slow));
          } catch (SQLException | RuntimeException | Error e) {
            told.completeExceptionally(e);
          }
        });
    assertThat(Await.until(SOON, () -> told.isDone() || replicas.asleep() == 1)).isTrue();
    assertThat(told).isNotDone();
    client.interrupt();

    assertThat(told.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(GIVEN_UP);
    assertThat(Await.until(SOON, () -> replicas.asleep() == 0))
        .as("what it left is given up")
        .isTrue();
    assertThat(source.losses()).as(threads + ", " + then + ", writes: " + writes).isEmpty();
  }

  /** Reads until it is interrupted, and says with which state. */
  private static String read(ClusterDataSource source, Then then, boolean writes, String slow)
      throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      if (writes) {
        execute(connection, "UPDATE kept SET name = name + 10 WHERE id = 2");
      }
      statement.setFetchSize(2);
      String state = "it was read";
      ResultSet rows = statement.executeQuery(slow);
      try {
        while (rows.next()) {
          assertThat(rows.getInt(1)).isPositive();
        }
      } catch (SQLException e) {
        state = String.valueOf(e.getSQLState());
      }
      if (then == Then.ROLLS_BACK_AND_GOES_ON) {
        assertThat(Thread.interrupted()).isTrue();
        assertThat(stateOf(connection, "UPDATE kept SET name = 7")).isEqualTo(FAILED_BEFORE);
        connection.rollback();
        execute(connection, "UPDATE kept SET name = name + 100 WHERE id = 3");
        connection.rollback();
      }
      return state;
    } catch (SQLException e) {
      // Who is still interrupted is told so by the closing, too.
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      return String.valueOf(e.getSQLState());
    }
  }

  /** A driver may ask for the type of a value on the client's own thread, once a connection. */
  @Test
  void aConnectionThatIsBrokenByItsClientTakesNoServerOut() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = replicas.open("")) {
      try (Connection connection = source.getConnection()) {
        execute(connection, "CREATE TYPE mood AS ENUM ('calm')");
        execute(connection, "CREATE TABLE kept (id INT PRIMARY KEY, name mood)");
        execute(connection, "INSERT INTO kept VALUES (1, 'calm')");
      }
      for (boolean writes : new boolean[] {true, false}) {
        CompletableFuture<String> told = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
          try {
            told.complete(interruptedAtAValue(replicas, source, writes));
          } catch (SQLException | RuntimeException | Error e) {
            told.completeExceptionally(e);
          }
        });
        assertThat(told.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(GIVEN_UP);
        assertThat(source.losses()).as("writes: " + writes).isEmpty();
      }
      assertThat(replicas.everywhere("SELECT sum(id) FROM kept", 0, 1)).containsOnly("1\n");
    }
  }

  private static String interruptedAtAValue(
      RealReplicas replicas, ClusterDataSource source, boolean writes) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      if (writes) {
        execute(connection, "INSERT INTO kept VALUES (2, 'calm')");
      }
      ResultSet rows = statement.executeQuery("SELECT name FROM kept");
      assertThat(rows.next()).isTrue();
      // A virtual thread that finds its answer there does not wait, and reads it in spite of this.
      replicas.suspend(0);
      replicas.suspend(1);
      Thread.currentThread().interrupt();
      String state = "it was read";
      try {
        assertThat(rows.getObject(1)).isNotNull();
      } catch (SQLException e) {
        state = String.valueOf(e.getSQLState());
      } finally {
        assertThat(Thread.interrupted()).isTrue();
        replicas.resume(0);
        replicas.resume(1);
      }
      assertThat(stateOf(connection, "INSERT INTO kept VALUES (3, 'calm')"))
          .isEqualTo(FAILED_BEFORE);
      connection.rollback();
      execute(connection, "INSERT INTO kept VALUES (4, 'calm')");
      connection.rollback();
      return state;
    }
  }

  private static String stateOf(Connection connection, String sql) {
    try {
      execute(connection, sql);
      return "it was done";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
