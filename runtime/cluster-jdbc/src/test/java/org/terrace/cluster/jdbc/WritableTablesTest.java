package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/**
 * Definitions over two real servers after which nothing could be written to a table any more: each
 * is refused itself, and the table stays as it is.
 */
@Tag("real-processes")
@Tag("untimed")
class WritableTablesTest {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aDefinitionLeavesEachTableWritable(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("");
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, price INT)");
      statement.execute("CREATE TABLE spare (id INT PRIMARY KEY)");
      if (postgres) {
        namesOfTablesAreTheirsAlone(statement);
        aTransactionGoesOnBehindARefusal(connection);
      } else {
        tablesOfMariaDbStayWritable(statement);
      }
      statement.execute("INSERT INTO kept VALUES (2, 2)");
      statement.execute("UPDATE kept SET price = price + 1");
      assertThat(new HashSet<>(replicas.everywhere("SELECT * FROM kept ORDER BY id", 0, 1)))
          .containsExactly(postgres ? "1|2\n2|3\n" : "2|3\n");
      assertThat(source.losses()).isEmpty();
    }
  }

  private static void namesOfTablesAreTheirsAlone(Statement statement) throws SQLException {
    statement.execute("CREATE SCHEMA other");
    for (String definition :
        List.of(
            "CREATE VIEW other.kept AS SELECT 1 AS id",
            "CREATE MATERIALIZED VIEW other.kept AS SELECT 1 AS id",
            "CREATE TABLE other.kept (id INT PRIMARY KEY)",
            "CREATE SCHEMA third CREATE TABLE kept (id INT)",
            "ALTER TABLE spare RENAME TO \"Kept\"",
            "ALTER TABLE kept ADD COLUMN \"Price\" INT",
            "ALTER TABLE kept RENAME COLUMN id TO \"PRICE\"",
            "CREATE TABLE twin (a INT, \"A\" INT)",
            "CREATE TABLE child (id INT PRIMARY KEY,"
                + " p INT DEFAULT 0 REFERENCES kept ON DELETE SET DEFAULT)",
            "ALTER TABLE kept ADD COLUMN kind regclass",
            "ALTER TABLE kept ALTER COLUMN price TYPE oid")) {
      isRefused(statement, definition);
    }
    statement.execute("SET search_path = other, public");
    isRefused(statement, "CREATE VIEW kept AS SELECT 1 AS id");
    statement.execute("SET search_path = public");
    statement.execute("CREATE VIEW other.seen AS SELECT id FROM kept");
    isRefused(statement, "ALTER VIEW other.seen RENAME TO kept");
    // A view may take the place of a table that is called otherwise by then.
    statement.execute("ALTER TABLE spare RENAME TO spare_rows");
    statement.execute("CREATE VIEW spare AS SELECT id FROM spare_rows");
    statement.execute("CREATE TABLE IF NOT EXISTS kept (id INT)");
  }

  private static void aTransactionGoesOnBehindARefusal(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO kept VALUES (1, 1)");
      Savepoint before = connection.setSavepoint();
      isRefused(statement, "CREATE TABLE other.kept (id INT)");
      connection.rollback(before);
      statement.execute("CREATE TABLE other.kept_too (id INT)");
      statement.execute("INSERT INTO other.kept_too VALUES (1)");
      connection.commit();
    }
    connection.setAutoCommit(true);
  }

  private static void tablesOfMariaDbStayWritable(Statement statement) throws SQLException {
    for (String definition :
        List.of(
            "ALTER TABLE kept ADD SYSTEM VERSIONING",
            "ALTER TABLE kept ADD n INT WITH SYSTEM VERSIONING",
            "CREATE TABLE dated (id INT PRIMARY KEY) WITH SYSTEM VERSIONING",
            "CREATE TABLE dated (id INT) PARTITION BY SYSTEM_TIME INTERVAL 1 MONTH",
            "CREATE TABLE Kept (id INT)",
            "CREATE VIEW KEPT AS SELECT 1 AS id",
            "RENAME TABLE spare TO Kept",
            "ALTER TABLE spare RENAME AS Kept",
            "ALTER TABLE spare RENAME = Kept",
            "RENAME TABLE spare TO Foo, other TO foo")) {
      isRefused(statement, definition);
    }
    statement.execute("CREATE TABLE IF NOT EXISTS kept (id INT)");
  }

  private static void isRefused(Statement statement, String definition) {
    assertThatThrownBy(() -> statement.execute(definition))
        .as(definition)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("The cluster refuses the statement because")
        .hasMessageContaining("Instead: ");
  }
}
