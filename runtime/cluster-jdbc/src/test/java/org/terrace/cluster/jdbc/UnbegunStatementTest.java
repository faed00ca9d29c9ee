package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** A client that is interrupted before its statement has begun at a server. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class UnbegunStatementTest {
  private static final Duration SOON = Duration.ofSeconds(30);

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
