package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * A server that is behind, falls silent and comes back within one transaction: it has some of the
 * statements to do yet when it is taken out, and gets all of them as it is back.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class LostWithinTransactionTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String LOTS = "SELECT id, amount FROM lot ORDER BY id";

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aServerThatIsBackDoesAStatementOnce(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 3);
        ClusterDataSource source =
            replicas.open("?writes=wait-first&hangMillis=1900&log=" + directory.resolve(engine))) {
      execute(source, "CREATE TABLE lot (id INT PRIMARY KEY, amount BIGINT NOT NULL)");
      execute(source, "INSERT INTO lot VALUES (1, 0), (2, 0)");
      awaitEqual(replicas, "1|0\n2|0\n");
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        replicas.suspend(2);
        statement.executeUpdate("UPDATE lot SET amount = amount + 1 WHERE id = 1");
        statement.executeUpdate("UPDATE lot SET amount = amount + 1 WHERE id = 2");
        awaitLosses(source, 1);
        replicas.resume(2);
        awaitLosses(source, 0);
        connection.commit();
      }
      awaitEqual(replicas, "1|1\n2|1\n");
      awaitLosses(source, 0);
    }
  }

  private static void awaitEqual(RealReplicas replicas, String lots) {
    assertThat(Await.until(LONGEST, () -> lotsAt(replicas).stream().allMatch(lots::equals)))
        .as(() -> "lots: " + lotsAt(replicas))
        .isTrue();
  }

  private static List<String> lotsAt(RealReplicas replicas) {
    try {
      return replicas.everywhere(LOTS, 0, 1, 2);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
