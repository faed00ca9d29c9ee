package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * The return of a cluster to the machine that owned it first, whose recovery log is older than what
 * was committed elsewhere: a server that was down all the while knows that log alone.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class FailBackTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String ROWS = "SELECT id FROM kept ORDER BY id";

  @TempDir private Path directory;

  @Test
  void whatWasCommittedElsewhereIsNotReplacedByAnOlderLog() throws Exception {
    String first = "?log=" + directory.resolve("first");
    String second = "?log=" + directory.resolve("second");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3)) {
      writeHereAndThenElsewhere(replicas, first, second);
      replicas.startAgain(1);

      assertThatThrownBy(() -> openAndAwaitReturns(replicas, first))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("went on without this recovery log")
          .hasMessageContaining(replicas.place(0));
      openAndAwaitReturns(replicas, second);
    }
  }

  /** The older log is all that can be seen when it is opened, and opened once more. */
  @Test
  void norIsItWhenItComesBackUnderAnOlderLog() throws Exception {
    String first = "?minimumReplicas=1&log=" + directory.resolve("first");
    String second = "?minimumReplicas=1&log=" + directory.resolve("second");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3)) {
      writeHereAndThenElsewhere(replicas, first, second);
      killAsItIs(replicas, 0);
      killAsItIs(replicas, 2);
      replicas.startAgain(1);
      for (int i = 0; i < 3; i++) {
        replicas.open(first).close();
      }

      try (ClusterDataSource source = replicas.open(first)) {
        execute(source, "INSERT INTO kept VALUES (3)");
        replicas.startAgain(0);
        assertThat(Await.until(LONGEST, () -> why(source, replicas).contains("was active without")))
            .as(() -> "losses: " + source.losses())
            .isTrue();
        assertThat(replicas.everywhere(ROWS, 0, 1)).containsExactly("1\n2\n", "1\n3\n");
      }
    }
  }

  private static String why(ClusterDataSource source, RealReplicas replicas) {
    return source.losses().getOrDefault(replicas.place(0), "");
  }

  /** Server 1 is lost; what is written elsewhere then the others have alone. */
  private static void writeHereAndThenElsewhere(
      RealReplicas replicas, String here, String elsewhere) throws SQLException {
    try (ClusterDataSource source = replicas.open(here)) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      execute(source, "INSERT INTO kept VALUES (1)");
      killAsItIs(replicas, 1);
      awaitLosses(source, 1);
    }
    try (ClusterDataSource source = replicas.open(elsewhere)) {
      execute(source, "INSERT INTO kept VALUES (2)");
    }
  }

  /** Kills a server that has written what it committed: these forget the last of it by default. */
  private static void killAsItIs(RealReplicas replicas, int replica) throws SQLException {
    try (Connection direct = replicas.direct(replica);
        Statement statement = direct.createStatement()) {
      statement.execute("SET synchronous_commit = on");
      statement.execute("UPDATE terrace.state SET free = free");
    }
    replicas.kill(replica);
  }

  private static void openAndAwaitReturns(RealReplicas replicas, String options)
      throws SQLException {
    try (ClusterDataSource source = replicas.open(options)) {
      awaitLosses(source, 0);
      assertThat(replicas.everywhere(ROWS, 0, 1, 2)).containsOnly("1\n2\n");
    }
  }
}
