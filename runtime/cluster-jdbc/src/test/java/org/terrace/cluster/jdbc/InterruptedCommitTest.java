package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Clients that are interrupted while a statement that returned rows is being committed. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class InterruptedCommitTest {
  private static final Duration SOON = Duration.ofSeconds(30);

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
}
