package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** A client that is interrupted while it goes back to a savepoint. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class InterruptedSavepointTest {
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
        goBackInterrupted(connection, statement);
        assertThat(ClusterSteps.stateOf(connection::commit)).isEqualTo(FAILED_BEFORE);
        goBackInterrupted(connection, statement);
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

  private static void goBackInterrupted(Connection connection, Statement statement)
      throws SQLException {
    statement.executeUpdate("INSERT INTO kept VALUES (1)");
    Savepoint point = connection.setSavepoint();
    statement.executeUpdate("INSERT INTO kept VALUES (2)");
    Thread.currentThread().interrupt();
    String state = ClusterSteps.stateOf(() -> connection.rollback(point));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(state).isEqualTo("57014");
  }
}
