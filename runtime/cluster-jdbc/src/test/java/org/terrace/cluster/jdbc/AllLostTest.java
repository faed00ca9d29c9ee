package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** A cluster all of whose servers were lost, as by a pause of the machine, and are back. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class AllLostTest {
  private static final String ROWS = "SELECT id FROM kept ORDER BY id";

  private static final String PROBES =
      "SELECT count(*) > 0 FROM pg_stat_activity WHERE query = 'SELECT 1'";
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void theyServeAgainWithoutBeingOpenedAgain(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.startDurable(engine, 2);
        ClusterDataSource source =
            replicas.open("?minimumReplicas=1&log=" + directory.resolve("log"))) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      execute(source, "INSERT INTO kept VALUES (1)");
      replicas.kill(0);
      awaitLosses(source, 1);
      execute(source, "INSERT INTO kept VALUES (2)");
      replicas.kill(1);
      awaitLosses(source, 2);
      assertThatThrownBy(() -> execute(source, "INSERT INTO kept VALUES (3)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("until the one that was active last is back");

      // Another process might go on with the one that was active last.
      replicas.startAgain(0);
      String reason =
          "all servers were lost, and %s, which was active last, returns first: nothing is to be done here until that one is back"
              .formatted(replicas.place(1));
      assertThat(Await.until(LONGEST, () -> reason.equals(source.losses().get(replicas.place(0)))))
          .as(() -> "losses: " + source.losses())
          .isTrue();
      assertThat(source.losses()).hasSize(2);
      replicas.startAgain(1);
      awaitLosses(source, 0);
      assertThat(replicas.everywhere(ROWS, 0, 1)).containsOnly("1\n2\n");

      execute(source, "INSERT INTO kept VALUES (5)");
      assertThat(replicas.everywhere(ROWS, 0, 1)).containsOnly("1\n2\n5\n");
    }
  }

  @Test
  void theReasonNamesTheSilenceAndItsLimit() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source =
            replicas.open("?minimumReplicas=1&hangMillis=500&log=" + directory.resolve("log"))) {
      assertThat(Await.until(LONGEST, () -> isProbed(replicas, 1))).as("it is probed").isTrue();
      replicas.suspend(1);
      awaitLosses(source, 1);
      assertThat(source.losses().get(replicas.place(1)))
          .contains("left a probe unanswered for 500 ms");
      replicas.resume(1);
      awaitLosses(source, 0);
    }
  }

  private static boolean isProbed(RealReplicas replicas, int server) {
    try {
      return replicas.everywhere(PROBES, server).equals(List.of("t\n"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
