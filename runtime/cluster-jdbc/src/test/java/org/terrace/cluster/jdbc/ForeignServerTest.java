package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.memory.OwnTables;
import org.terrace.cluster.sql.Engine;

/** A server that went on alone, with a recovery log of its own, and is to be one of a cluster's. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ForeignServerTest {
  private static final int ALONE = 2;
  private static final String ROWS = "SELECT id FROM kept ORDER BY id";

  @TempDir private Path directory;
  private String log;
  private int timesAlone;

  @BeforeEach
  void nameTheLog() {
    log = "?log=" + directory.resolve("log");
  }

  @Test
  void itIsNotAddedAsItIs() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3)) {
      try (ClusterDataSource source = replicas.open(log, 0, 1)) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO kept VALUES (1)");
      }
      goOnAlone(replicas, "CREATE TABLE precious (id INT PRIMARY KEY)");
      try (ClusterDataSource source = replicas.open(log, 0, 1)) {
        assertThatThrownBy(() -> source.addServer(replicas.place(ALONE)))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("was active without this log")
            .hasMessageContaining("copy=always");
        assertThat(source.servers()).containsExactly(replicas.place(0), replicas.place(1));
        assertThat(source.losses()).isEmpty();
      }
      assertThat(replicas.everywhere("SELECT count(*) FROM precious", ALONE))
          .containsExactly("0\n");
      try (ClusterDataSource source = replicas.open(log + "&copy=always", 0, 1)) {
        source.addServer(replicas.place(ALONE));
        awaitLosses(source, 0);
      }
      itIsWholeAndTheClusterOpens(replicas, "1\n");
    }
  }

  /** As its return would copy into it, so does the opening leave it to that. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aClusterOpensAndCopiesIntoItWhereAReturnWould(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 3)) {
      try (ClusterDataSource source = replicas.open(log)) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO kept VALUES (1)");
      }
      goOnAlone(replicas, "INSERT INTO kept VALUES (2)");
      assertThatThrownBy(() -> replicas.open(log))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("went on without this recovery log")
          .hasMessageContaining("open it with copy=always");
      try (ClusterDataSource source = replicas.open(log + "&copy=always")) {
        awaitLosses(source, 0);
      }
      itIsWholeAndTheClusterOpens(replicas, "1\n");

      goOnAlone(replicas, "DELETE FROM kept");
      try (Connection direct = replicas.direct(ALONE)) {
        ownTables(engine)
            .markDiverged(direct, "a copy into it was begun and did not come to its end");
      }
      itIsWholeAndTheClusterOpens(replicas, "1\n");

      goOnAlone(replicas, "DROP TABLE kept");
      itIsWholeAndTheClusterOpens(replicas, "1\n");
    }
  }

  private static OwnTables ownTables(String engine) {
    return new OwnTables(
        EngineDialect.of(engine.equals("postgresql") ? Engine.POSTGRESQL : Engine.MARIADB));
  }

  /** Its log is a new one each time, as the cluster's own opening has come between. */
  private void goOnAlone(RealReplicas replicas, String sql) throws SQLException {
    String alone = "?log=" + directory.resolve("alone-" + ++timesAlone);
    for (int opening = 0; opening < 5; opening++) {
      replicas.open(alone, ALONE).close();
    }
    try (ClusterDataSource source = replicas.open(alone, ALONE)) {
      execute(source, sql);
    }
  }

  private void itIsWholeAndTheClusterOpens(RealReplicas replicas, String rows) throws SQLException {
    try (ClusterDataSource source = replicas.open(log)) {
      awaitLosses(source, 0);
      assertThat(replicas.everywhere(ROWS, 0, 1, ALONE)).containsOnly(rows);
    }
  }
}
