package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.MeddlingDriver;
import org.terrace.cluster.jdbc.servers.MeddlingDriver.Held;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Commits at a server that is behind, after one that was read at another. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class OrderOfCommitsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** The time in which a server commits that is not held up. */
  private static final Duration MANY_COMMITS = Duration.ofSeconds(1);

  @TempDir private Path directory;

  @Test
  void whatWasReadIsCommittedBefore() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any")) {
      driver.watch();
      try (ClusterDataSource source = replicas.open("?writes=wait-first&log=" + directory)) {
        execute(source, "CREATE TABLE cause (id INT PRIMARY KEY)");
        execute(source, "CREATE TABLE effect (id INT PRIMARY KEY)");
        Held held = driver.holdCommit(replicas.place(1));
        execute(source, "INSERT INTO cause VALUES (1)");
        assertThat(Await.until(SOON, held::isReached)).isTrue();
        try (Connection connection = source.getConnection()) {
          connection.setAutoCommit(false);
          assertThat(Await.until(SOON, () -> seesTheCause(connection))).isTrue();
          connection.createStatement().executeUpdate("INSERT INTO effect VALUES (1)");
          connection.commit();
        }
        assertThat(count(replicas, "effect", 0)).isEqualTo(1);
        assertThat(Await.until(MANY_COMMITS, () -> count(replicas, "effect", 1) == 1)).isFalse();
        held.release();
        assertThat(Await.until(SOON, () -> count(replicas, "effect", 1) == 1)).isTrue();
        assertThat(count(replicas, "cause", 1)).isEqualTo(1);
      }
    }
  }

  private static boolean seesTheCause(Connection connection) {
    try {
      boolean sees = RealReplicas.rows(connection, "SELECT id FROM cause").equals("1\n");
      if (!sees) {
        connection.rollback();
      }
      return sees;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static int count(RealReplicas replicas, String table, int replica) {
    try {
      return replicas.everywhere("SELECT id FROM " + table, replica).getFirst().length() / 2;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
