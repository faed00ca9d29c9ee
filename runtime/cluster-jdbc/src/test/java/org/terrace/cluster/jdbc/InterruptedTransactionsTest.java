package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Clients that are interrupted while the servers have yet to do, or to commit, what they asked. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class InterruptedTransactionsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String FAILED_BEFORE = "25P02";

  /** The log would lack what the servers have done, and who returns by it would differ. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whoIsInterruptedAtASavepointCanOnlyRollBack(String engine, @TempDir Path log)
      throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 3);
        ClusterDataSource source = replicas.open("?log=" + log)) {
      ClusterSteps.execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      replicas.kill(2);
      ClusterSteps.awaitLosses(source, 1);
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        goBackInterrupted(replicas, connection, statement);
        assertThat(ClusterSteps.stateOf(connection::commit)).isEqualTo(FAILED_BEFORE);
        goBackInterrupted(replicas, connection, statement);
        assertThat(
                ClusterSteps.stateOf(() -> statement.executeUpdate("INSERT INTO kept VALUES (3)")))
            .isEqualTo(FAILED_BEFORE);
        assertThat(ClusterSteps.stateOf(connection::commit)).isEqualTo(FAILED_BEFORE);
        statement.executeUpdate("INSERT INTO kept VALUES (4)");
        connection.commit();
      }
      replicas.startAgain(2);
      ClusterSteps.awaitLosses(source, 0);

      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1, 2))
          .containsExactly("4\n", "4\n", "4\n");
    }
  }

  /** A server that is stopped keeps the answer back until the client has left. */
  private static void goBackInterrupted(
      RealReplicas replicas, Connection connection, Statement statement) throws SQLException {
    statement.executeUpdate("INSERT INTO kept VALUES (1)");
    Savepoint point = connection.setSavepoint();
    statement.executeUpdate("INSERT INTO kept VALUES (2)");
    replicas.suspend(1);
    try {
      Thread.currentThread().interrupt();
      String state = ClusterSteps.stateOf(() -> connection.rollback(point));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(state).isEqualTo("57014");
    } finally {
      replicas.resume(1);
    }
  }

  /** A trigger holds the commit up that sends it until it is let go. */
  @Test
  void whoIsInterruptedAtACommitKeepsNoConnection() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = replicas.open("?poolSize=2&connectMillis=3000")) {
      ClusterSteps.execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      for (int i = 0; i < 2; i++) {
        holdCommits(replicas, i);
      }
      try (Connection holder = replicas.direct(0)) {
        for (int id = 1; id <= 2; id++) {
          String count = id + "\n";
          RealReplicas.rows(holder, "SELECT pg_advisory_lock(77)");
          interruptAtCommit(replicas, source, id);
          RealReplicas.rows(holder, "SELECT pg_advisory_unlock(77)");
          assertThat(
                  Await.until(SOON, () -> ask(replicas, "SELECT count(*) FROM kept").equals(count)))
              .isTrue();
        }
      }

      ClusterSteps.execute(source, "INSERT INTO kept VALUES (9)");
      try (Connection connection = source.getConnection()) {
        assertThat(RealReplicas.rows(connection, "SELECT count(*) FROM kept")).isEqualTo("3\n");
      }
    }
  }

  private static void holdCommits(RealReplicas replicas, int server) throws SQLException {
    try (Connection connection = replicas.direct(server);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS"
              + " 'BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END'");
      statement.execute(
          "CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED"
              + " FOR EACH ROW EXECUTE FUNCTION hold()");
    }
  }

  private static void interruptAtCommit(RealReplicas replicas, ClusterDataSource source, int id) {
    String insert = "INSERT INTO kept VALUES (" + id + ") RETURNING id";
    CompletableFuture<String> state = new CompletableFuture<>();
    Thread client =
        Thread.startVirtualThread(() ->
            state.complete(
                ClusterSteps.stateOf(() -> {
                  try (Connection connection = source.getConnection()) {
                    RealReplicas.rows(connection, insert);
                  }
                })));
    String held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    assertThat(Await.until(SOON, () -> state.isDone() || ask(replicas, held).equals("1\n")))
        .isTrue();
    assertThat(state).isNotDone();
    client.interrupt();

    assertThat(state).succeedsWithin(SOON).isEqualTo("08007");
  }

  private static String ask(RealReplicas replicas, String query) {
    try {
      return replicas.everywhere(query, 0).getFirst();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The one connection is lent to another, so that the statement waits for it at the server. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatHasNotBegunWhenItsClientLeavesIsNotDone(String engine) throws Exception {
    String sleep = engine.equals("mariadb") ? "sleep(3600)" : "pg_sleep(3600)::text";
    try (RealReplicas replicas = RealReplicas.start(engine, 1);
        ClusterDataSource source =
            replicas.open(
                "?poolSize=1&connectMillis=60000&lockWaitMillis=5000&functions=pg_sleep,sleep")) {
      ClusterSteps.execute(source, "CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
      ClusterSteps.execute(source, "INSERT INTO kept VALUES (1, 0)");
      try (Connection reader = source.getConnection();
          Connection writer = source.getConnection();
          Statement statement = writer.createStatement()) {
        reader.setAutoCommit(false);
        assertThat(RealReplicas.rows(reader, "SELECT name FROM kept")).isEqualTo("0\n");
        String update = "UPDATE kept SET name = 2 WHERE " + sleep + " IS NULL";
        CompletableFuture<String> state = new CompletableFuture<>();
        Thread client =
            Thread.ofPlatform()
                .start(() -> state.complete(ClusterSteps.stateOf(() -> statement.execute(update))));
        assertThat(Await.until(SOON, () -> waitsForAnswer(client))).isTrue();
        client.interrupt();
        assertThat(state).succeedsWithin(SOON).isEqualTo("57014");
        reader.rollback();

        statement.executeUpdate("UPDATE kept SET name = 3 WHERE id = 1");
      }
      assertThat(source.losses()).isEmpty();
      assertThat(replicas.everywhere("SELECT name FROM kept", 0)).containsExactly("3\n");
    }
  }

  /** The statement has been begun at the cluster, whatever becomes of it at the server. */
  private static boolean waitsForAnswer(Thread client) {
    return Stream.of(client.getStackTrace())
        .anyMatch(frame -> frame.getClassName().endsWith(".Answers"));
  }
}
