package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/**
 * Statements over two real servers that one server alone would do, would lose, or would read
 * otherwise than they are judged: each is refused, or the same at both.
 */
@Tag("real-processes")
@Tag("untimed")
class OneServersDoingTest {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void nothingIsDoneAtOneServerAlone(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("?functions=string_to_table");
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, n INT, note VARCHAR(40))");
      statement.execute("INSERT INTO kept VALUES (1, 1, 'a')");
      makeBehindItsBack(replicas, postgres);
      // A definition has the tables read again.
      statement.execute("CREATE TABLE one_more (id INT PRIMARY KEY)");
      isRefused(statement, "INSERT INTO loose (id) VALUES (1)", "the table loose is");
      isRefused(statement, "INSERT INTO Seen (id) VALUES (1)", "is a view");
      if (postgres) {
        isRefused(statement, "UPDATE kept SET note = 'a' --\r, n = random() * 1000", "random()");
        isRefused(statement, "EXPLAIN ANALYSE CREATE TABLE copied AS SELECT 1 AS id", "ANALYSE");
        isRefused(statement, "SET NAMES 'LATIN1'", "encoding");
        aLocalSettingEndsWithItsTransaction(connection);
        theMomentOfADefaultIsFoundOnce(statement, replicas);
        settingsGoBackWithWhatIsUndone(connection);
        rowsOfOneGetNoSingleNumber(statement);
      } else {
        isRefused(
            statement,
            "SET STATEMENT foreign_key_checks = 0 FOR INSERT INTO kept VALUES (2, 2, 'b')",
            "one server's session");
        isRefused(statement, "SET foreign_key_checks := 0, sql_mode := 'ANSI_QUOTES'", "session");
        isRefused(statement, "SET NAMES gbk", "encoding");
        bytesThatAreNoNumberGetTheClustersNumber(connection, replicas);
        allClocksShowOneMoment(connection, replicas);
      }
      assertThat(new HashSet<>(replicas.everywhere("SELECT * FROM kept ORDER BY id", 0, 1)))
          .hasSize(1);
      assertThat(source.losses()).isEmpty();
    }
  }

  private static void makeBehindItsBack(RealReplicas replicas, boolean postgres)
      throws SQLException {
    for (int replica = 0; replica < 2; replica++) {
      try (Connection direct = replicas.direct(replica);
          Statement statement = direct.createStatement()) {
        if (postgres) {
          statement.execute("CREATE UNLOGGED TABLE loose (id INT PRIMARY KEY)");
          statement.execute("CREATE TABLE seen (id INT PRIMARY KEY)");
          statement.execute("CREATE SCHEMA other");
          statement.execute("CREATE VIEW other.seen AS SELECT * FROM kept");
          statement.execute(
              "CREATE TABLE dated (id INT PRIMARY KEY,"
                  + " at TIMESTAMPTZ DEFAULT ('now'::text)::timestamptz)");
        } else {
          statement.execute("CREATE TABLE loose (id INT PRIMARY KEY) ENGINE=MEMORY");
          statement.execute("CREATE TABLE seen (id INT PRIMARY KEY)");
          statement.execute("CREATE VIEW Seen AS SELECT id, n AS price FROM kept");
          statement.execute("CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, n INT)");
          statement.execute("ALTER TABLE counted AUTO_INCREMENT = " + (1 + 500 * replica));
          statement.execute(
              "CREATE TABLE shift (id INT AUTO_INCREMENT PRIMARY KEY,"
                  + " at TIMESTAMP(6) NOT NULL DEFAULT '2020-01-01',"
                  + " tm TIME NULL, day DATETIME(6) NULL,"
                  + " changed TIMESTAMP(6) NULL ON UPDATE CURRENT_TIMESTAMP(6))");
        }
      }
    }
  }

  private static void isRefused(Statement statement, String sql, String reason) {
    assertThatThrownBy(() -> statement.execute(sql))
        .as(sql)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining("Instead: ");
  }

  private static void aLocalSettingEndsWithItsTransaction(Connection connection)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = 1234");
      statement.execute("UPDATE kept SET n = 2 WHERE id = 1");
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isEqualTo("1234ms\n");
      connection.commit();
      statement.execute("UPDATE kept SET n = 3 WHERE id = 1");
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isNotEqualTo("1234ms\n");
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("SET LOCAL lock_timeout = 1234");
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isNotEqualTo("1234ms\n");
    }
  }

  private static void settingsGoBackWithWhatIsUndone(Connection connection) throws SQLException {
    String usual = RealReplicas.rows(connection, "SHOW lock_timeout");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE part (id INT PRIMARY KEY,"
              + " whole INT REFERENCES kept (id) DEFERRABLE INITIALLY DEFERRED)");
      connection.setAutoCommit(false);
      Savepoint before = connection.setSavepoint();
      statement.execute("SET lock_timeout = 4321");
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isEqualTo("4321ms\n");
      connection.rollback(before);
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isEqualTo(usual);
      connection.commit();
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isEqualTo(usual);
      statement.execute("SET lock_timeout = 5432");
      statement.execute("INSERT INTO part VALUES (1, 404)");
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
      connection.rollback();
      assertThat(RealReplicas.rows(connection, "SHOW lock_timeout")).isEqualTo(usual);
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /**
   * The server tells which functions make several rows of one, also of those that users declare.
   */
  private static void rowsOfOneGetNoSingleNumber(Statement statement) throws SQLException {
    statement.execute("CREATE SEQUENCE plain");
    for (String rows : List.of("generate_series(1, 2)", "string_to_table('a,b', ',')")) {
      isRefused(statement, "SELECT nextval('plain'), " + rows, "uses a sequence");
      isRefused(
          statement,
          "INSERT INTO part (id, whole) SELECT nextval('plain'), 1 WHERE " + rows + " IS NOT NULL",
          "uses a sequence");
    }
    isRefused(
        statement,
        "INSERT INTO kept (id) VALUES (1), (2) ON CONFLICT (id) DO UPDATE SET n = nextval('plain')",
        "several rows");
    statement.execute("CREATE TABLE heir () INHERITS (kept)");
    isRefused(
        statement,
        "UPDATE kept SET n = nextval('plain') WHERE id = 1",
        "one number of the sequence");
    statement.execute("DROP TABLE heir");
    statement.execute("UPDATE kept SET n = nextval('plain') WHERE id = 1");
  }

  private static void theMomentOfADefaultIsFoundOnce(Statement statement, RealReplicas replicas)
      throws SQLException {
    statement.execute("INSERT INTO dated (id) VALUES (1)");
    List<String> everywhere = replicas.everywhere("SELECT * FROM dated", 0, 1);
    assertThat(everywhere.getFirst()).startsWith("1|20");
    assertThat(new HashSet<>(everywhere)).hasSize(1);
  }

  private static void bytesThatAreNoNumberGetTheClustersNumber(
      Connection connection, RealReplicas replicas) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO counted (id, n) VALUES (?, 1)")) {
      insert.setBytes(1, "0".getBytes(StandardCharsets.UTF_8));
      insert.executeUpdate();
    }
    assertThat(new HashSet<>(replicas.everywhere("SELECT * FROM counted", 0, 1))).hasSize(1);
  }

  /** MariaDB dates a NULL, a change and a time of day by its clock. */
  private static void allClocksShowOneMoment(Connection connection, RealReplicas replicas)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO shift (at, tm) VALUES (NULL, '10:00')");
      statement.execute("UPDATE shift SET day = tm");
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shift (at) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      insert.setNull(1, Types.TIMESTAMP);
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        assertThat(keys.next()).isTrue();
        assertThat(keys.getLong(1)).isEqualTo(2);
      }
      for (int i = 0; i < 3; i++) {
        insert.setNull(1, Types.TIMESTAMP);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(3);
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE shift SET at = ? WHERE id = 2")) {
      update.setNull(1, Types.TIMESTAMP);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
    List<String> everywhere = replicas.everywhere("SELECT * FROM shift ORDER BY id", 0, 1);
    assertThat(everywhere.getFirst().lines()).hasSize(5).noneMatch(row -> row.contains("2020-"));
    assertThat(new HashSet<>(everywhere)).hasSize(1);
    assertThat(RealReplicas.rows(connection, "SELECT count(changed) FROM shift")).isEqualTo("2\n");
  }
}
