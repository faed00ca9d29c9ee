package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** Statements that touch rows they do not name, run over two real servers. */
@Tag("real-processes")
@Tag("untimed")
class UnseenConflictsTest {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aViewIsRefusedWhateverElseIsNamed(String engine) throws Exception {
    try (RealReplicas servers = RealReplicas.start(engine, 2);
        ClusterDataSource source = servers.open("");
        Connection connection = source.getConnection()) {
      write(connection, "CREATE TABLE lot (id INT PRIMARY KEY, amount INT NOT NULL)");
      write(connection, "CREATE TABLE copy (id INT PRIMARY KEY, amount INT NOT NULL)");
      write(connection, "CREATE VIEW seen AS SELECT id, amount FROM lot");
      write(connection, "INSERT INTO lot (id, amount) VALUES (7, 70)");
      for (String sql :
          List.of(
              "INSERT INTO copy (id, amount) WITH w AS (SELECT 1) SELECT 5, amount FROM seen",
              "INSERT INTO copy (id, amount) WITH seen AS (SELECT * FROM seen) SELECT id, amount"
                  + " FROM seen",
              "SELECT amount FROM seen WHERE id = 7 FOR UPDATE")) {
        assertThatThrownBy(() -> write(connection, sql))
            .as(sql)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("'seen'");
      }
      write(
          connection,
          "INSERT INTO copy (id, amount) WITH w AS (SELECT id, amount FROM lot) SELECT id, amount"
              + " FROM w");
      assertThat(new HashSet<>(servers.everywhere("SELECT * FROM copy", 0, 1)))
          .containsExactly("7|70\n");
    }
  }

  @Test
  @Tag("long")
  void aPartitionIsWrittenByItsTableAlone() throws Exception {
    try (RealReplicas servers = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = servers.open("?scheduling=key");
        Connection connection = source.getConnection()) {
      write(
          connection, "CREATE TABLE part (id INT PRIMARY KEY, note TEXT) PARTITION BY RANGE (id)");
      write(connection, "CREATE TABLE part1 PARTITION OF part FOR VALUES FROM (0) TO (100)");
      write(connection, "CREATE TABLE copy (id INT PRIMARY KEY, note TEXT)");
      write(connection, "INSERT INTO part (id, note) VALUES (7, 'a')");
      write(connection, "UPDATE part SET note = 'b' WHERE id = 7");
      for (String sql :
          List.of(
              "DELETE FROM part1 WHERE id = 7",
              "INSERT INTO copy (id, note) SELECT id, note FROM part1",
              "SELECT note FROM part1 WHERE id = 7 FOR UPDATE")) {
        assertThatThrownBy(() -> write(connection, sql))
            .as(sql)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("'part1'");
      }
      assertThat(new HashSet<>(servers.everywhere("SELECT * FROM part", 0, 1)))
          .containsExactly("7|b\n");
    }
  }

  @Test
  @Tag("long")
  void aDefinitionThatASavepointUndoesIsForgotten() throws Exception {
    try (RealReplicas servers = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = servers.open("");
        Connection connection = source.getConnection()) {
      write(
          connection,
          "CREATE TABLE d (id INT PRIMARY KEY, made TIMESTAMPTZ DEFAULT clock_timestamp())");
      connection.setAutoCommit(false);
      Savepoint savepoint = connection.setSavepoint();
      write(connection, "ALTER TABLE d ALTER made DROP DEFAULT");
      connection.rollback(savepoint);
      connection.commit();
      write(connection, "INSERT INTO d (id) VALUES (2)");
      connection.commit();
      assertThat(new HashSet<>(servers.everywhere("SELECT made IS NULL, made FROM d", 0, 1)))
          .hasSize(1)
          .allMatch(row -> row.startsWith("f|"));
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  @Tag("long")
  void whoFindsNoConnectionFreeIsUndoneAndTheServersStay(String engine) throws Exception {
    try (RealReplicas servers = RealReplicas.start(engine, 2);
        ClusterDataSource source = servers.open("?scheduling=key&poolSize=2&connectMillis=1000")) {
      List<Connection> holders = new ArrayList<>();
      try (Connection connection = source.getConnection()) {
        write(connection, "CREATE TABLE lot (id INT PRIMARY KEY, amount INT NOT NULL)");
        write(connection, "INSERT INTO lot (id, amount) VALUES (1, 0), (2, 0), (3, 0)");
        for (int id = 1; id <= 2; id++) {
          Connection holder = source.getConnection();
          holders.add(holder);
          holder.setAutoCommit(false);
          write(holder, "UPDATE lot SET amount = 1 WHERE id = " + id);
        }
        assertThatThrownBy(() -> write(connection, "UPDATE lot SET amount = 1 WHERE id = 3"))
            .isInstanceOf(SQLException.class);
        for (Connection holder : holders) {
          holder.commit();
        }
        write(connection, "UPDATE lot SET amount = 2 WHERE id = 3");
      } finally {
        for (Connection holder : holders) {
          holder.close();
        }
      }
      assertThat(source.losses()).isEmpty();
      assertThat(new HashSet<>(servers.everywhere("SELECT * FROM lot ORDER BY id", 0, 1)))
          .containsExactly("1|1\n2|1\n3|2\n");
    }
  }

  private static void write(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
