package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.recovery.log.RecoveryLog;
import org.terrace.recovery.log.RecoveryLogOptions;

/**
 * Servers as an earlier version left them: the log's identity does not tell when it began, and they
 * forgot up to the number of a transaction that failed, which the log never had.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class EarlierVersionsLogTest {
  private static final int AWAY = 2;

  @TempDir private Path directory;

  @Test
  void itIsRefusedWithTheWayOutAndNothingIsLost() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3)) {
      try (ClusterDataSource source = replicas.open("")) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO kept VALUES (1)");
      }
      Path former = directory.resolve("former");
      RecoveryLog log = RecoveryLog.open(RecoveryLogOptions.in(former), 50);
      log.close();
      for (int replica = 0; replica < 3; replica++) {
        leave(replicas, replica, log.identity().toString());
      }

      assertThatThrownBy(() -> replicas.open("?log=" + former))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("began under an earlier version")
          .hasMessageContaining("Move the directory away");
      try (ClusterDataSource source = replicas.open("?log=" + directory.resolve("new"))) {
        awaitLosses(source, 0);
        execute(source, "INSERT INTO kept VALUES (3)");
      }
      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1, AWAY))
          .containsOnly("1\n2\n3\n");
    }
  }

  /** The one that was away lacks what the others have, and knows an earlier view. */
  private static void leave(RealReplicas replicas, int replica, String log) throws SQLException {
    String both = replicas.place(0) + " " + replicas.place(1);
    boolean away = replica == AWAY;
    try (Connection direct = replicas.direct(replica);
        Statement statement = direct.createStatement()) {
      statement.executeUpdate("DELETE FROM terrace.applied");
      statement.executeUpdate(
          "UPDATE terrace.state SET log = '%s', floor = %d, view_number = %d, members = '%s'"
              .formatted(
                  log,
                  away ? 40 : 57,
                  away ? 3 : 4,
                  away ? both + " " + replicas.place(AWAY) : both));
      if (!away) {
        statement.executeUpdate("INSERT INTO kept VALUES (2)");
      }
    }
  }
}
