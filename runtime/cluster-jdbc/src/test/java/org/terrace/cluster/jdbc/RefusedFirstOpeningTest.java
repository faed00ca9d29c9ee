package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** A first opening with a recovery log that is refused because the servers' schemas differ. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class RefusedFirstOpeningTest {
  private static final String TABLE = "CREATE TABLE kept (id INT PRIMARY KEY)";

  @TempDir private Path directory;

  @Test
  void itLeavesNoLogThatKeepsTheNextFromOpening() throws Exception {
    String log = "?log=" + directory.resolve("log");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2)) {
      define(replicas, 0, TABLE);
      define(replicas, 1, "CREATE TABLE other (id INT PRIMARY KEY)");
      assertThatThrownBy(() -> replicas.open(log))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("its servers differ");

      define(replicas, 1, "DROP TABLE other");
      define(replicas, 1, TABLE);
      try (ClusterDataSource source = replicas.open(log)) {
        execute(source, "INSERT INTO kept VALUES (1)");
        assertThat(source.losses()).isEmpty();
      }
      assertThat(replicas.everywhere("SELECT id FROM kept", 0, 1)).containsOnly("1\n");
    }
  }

  private static void define(RealReplicas replicas, int replica, String definition)
      throws SQLException {
    try (Connection direct = replicas.direct(replica);
        Statement statement = direct.createStatement()) {
      statement.execute(definition);
    }
  }
}
