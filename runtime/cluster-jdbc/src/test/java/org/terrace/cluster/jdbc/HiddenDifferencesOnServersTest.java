package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/**
 * Writes over two real servers that find the same rows in another order, and whose clocks and
 * functions say something else: each is refused, or the same at both.
 */
@Tag("real-processes")
@Tag("untimed")
class HiddenDifferencesOnServersTest {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  @Tag("long")
  void whateverPassesIsTheSameAtBothServers(String engine) throws Exception {
    boolean postgres = engine.equals("postgresql");
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        ClusterDataSource source = replicas.open("");
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      makeTables(statement, postgres);
      turnOrder(replicas, postgres);
      RandomChoices.write(connection, replicas, postgres);
      momentsOfAStatementAreOne(connection, replicas, postgres);
      if (postgres) {
        textsAreNotReadAsMoments(connection);
        functionsOfRowsAreRefused(replicas, source);
      } else {
        calculatedColumnsAreNotRead(statement);
        numbersOfQueriesAreNone(statement);
      }
      assertThat(source.losses()).isEmpty();
      // What no judge keeps back is found, or the random statements would prove nothing.
      RandomChoices.differUnjudged(replicas, postgres);
    }
  }

  private static void makeTables(Statement statement, boolean postgres) throws SQLException {
    String number = postgres ? "BIGSERIAL" : "BIGINT AUTO_INCREMENT";
    statement.execute("CREATE TABLE part (id INT PRIMARY KEY, whole INT, price INT, note TEXT)");
    statement.execute("CREATE TABLE whole (id INT PRIMARY KEY, price INT, note TEXT)");
    statement.execute("CREATE TABLE line (id " + number + " PRIMARY KEY, price INT)");
    statement.execute(
        "CREATE TABLE moment (id INT PRIMARY KEY, a TIMESTAMP(6)"
            + (postgres ? "" : " NULL")
            + ", b TIMESTAMP(6) DEFAULT CURRENT_TIMESTAMP(6))");
    for (int i = 1; i <= 40; i++) {
      statement.execute(
          "INSERT INTO part VALUES (%d, %d, %d, 'n%d')".formatted(i, i % 8, i * 7 % 40, i * 3 % 7));
    }
    for (int i = 0; i < 8; i++) {
      statement.execute("INSERT INTO whole VALUES (%d, 0, '')".formatted(i));
    }
  }

  /** The second server finds the last rows first. */
  private static void turnOrder(RealReplicas replicas, boolean postgres) throws SQLException {
    try (Connection direct = replicas.direct(1);
        Statement statement = direct.createStatement()) {
      if (postgres) {
        statement.execute("CREATE TABLE turned AS SELECT * FROM part ORDER BY id DESC");
        statement.execute("TRUNCATE part");
        statement.execute("INSERT INTO part SELECT * FROM turned");
        statement.execute("DROP TABLE turned");
      } else {
        statement.execute("CREATE INDEX turned ON part (whole, price, note(20))");
        statement.execute("CREATE INDEX turned_more ON part (price, whole)");
      }
    }
  }

  private static void momentsOfAStatementAreOne(
      Connection connection, RealReplicas replicas, boolean postgres) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO moment (id, a) VALUES (1, LOCALTIMESTAMP), (2, LOCALTIMESTAMP)");
      assertThat(count(connection, "SELECT count(DISTINCT a) FROM moment")).isEqualTo(1);
      assertThat(count(connection, "SELECT count(DISTINCT b) FROM moment")).isEqualTo(1);
      if (postgres) {
        connection.setAutoCommit(false);
        statement.execute("INSERT INTO moment (id, a) VALUES (3, now())");
        statement.execute("INSERT INTO moment (id, a) VALUES (4, CURRENT_TIMESTAMP)");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(count(connection, "SELECT count(DISTINCT a) FROM moment WHERE id > 2"))
            .isEqualTo(1);
      }
    }
    assertThat(new HashSet<>(replicas.everywhere("SELECT * FROM moment ORDER BY id", 0, 1)))
        .hasSize(1);
  }

  private static long count(Connection connection, String query) throws SQLException {
    return Long.parseLong(RealReplicas.rows(connection, query).strip());
  }

  private static void textsAreNotReadAsMoments(Connection connection) throws SQLException {
    for (String sql :
        List.of(
            "UPDATE moment SET a = CAST(? AS timestamp)",
            "UPDATE moment SET a = '2026-01-01' WHERE a < ?::timestamptz")) {
      try (PreparedStatement update = connection.prepareStatement(sql)) {
        update.setString(1, "now");
        assertThatThrownBy(update::executeUpdate).as(sql).hasMessageContaining("each replica's");
      }
    }
    try (PreparedStatement update = connection.prepareStatement("UPDATE moment SET a = ?")) {
      update.setObject(1, "tomorrow", Types.OTHER);
      assertThatThrownBy(update::executeUpdate).hasMessageContaining("each replica's clock");
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE whole SET note = ? WHERE id = 1")) {
      update.setString(1, "today");
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  private static void functionsOfRowsAreRefused(RealReplicas replicas, ClusterDataSource source)
      throws SQLException {
    for (int replica = 0; replica < 2; replica++) {
      try (Connection direct = replicas.direct(replica);
          Statement statement = direct.createStatement()) {
        statement.execute(
            "CREATE FUNCTION chance(whole) RETURNS int VOLATILE LANGUAGE sql AS 'SELECT %d'"
                .formatted(replica));
      }
    }
    // A definition has the functions read again.
    ClusterSteps.execute(source, "CREATE TABLE one_more (id INT PRIMARY KEY)");
    for (String sql :
        List.of("UPDATE whole SET price = whole.chance", "SELECT w.chance FROM whole w")) {
      assertThatThrownBy(() -> ClusterSteps.execute(source, sql))
          .as(sql)
          .hasMessageContaining("functions=chance");
    }
  }

  private static void calculatedColumnsAreNotRead(Statement statement) throws SQLException {
    statement.execute(
        "CREATE TABLE seen (id INT PRIMARY KEY, at DOUBLE AS (rand()) VIRTUAL, v DOUBLE)");
    statement.execute("INSERT INTO seen (id) VALUES (1)");
    assertThatThrownBy(() -> statement.execute("UPDATE seen SET v = at"))
        .hasMessageContaining("calculates");
    statement.execute("UPDATE seen SET v = id");
  }

  private static void numbersOfQueriesAreNone(Statement statement) throws SQLException {
    assertThatThrownBy(
            () -> statement.execute("INSERT INTO line (id, price) SELECT price, 1 FROM whole"))
        .hasMessageContaining("number such a row by itself");
    statement.execute("INSERT INTO line (id, price) SELECT id, 1 FROM whole WHERE id >= 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql?driver.options=-c%20standard_conforming_strings=off",
        "mariadb?driver.sessionVariables=sql_mode='STRICT_TRANS_TABLES,ANSI_QUOTES'",
        "mariadb?driver.sessionVariables=sql_auto_is_null=1",
      })
  @Tag("long")
  void serversThatReadStatementsOtherwiseAreRefused(String engineAndOption) throws Exception {
    int option = engineAndOption.indexOf('?');
    try (RealReplicas replicas = RealReplicas.start(engineAndOption.substring(0, option), 1)) {
      assertThatThrownBy(() -> replicas.open(engineAndOption.substring(option)).close())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("reads statements otherwise than the cluster judges them");
    }
  }

  @Test
  void serversOfDifferentSettingsAreRefused() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2)) {
      try (Connection direct = replicas.direct(1);
          Statement statement = direct.createStatement()) {
        statement.execute("ALTER ROLE shop SET IntervalStyle = 'sql_standard'");
      }
      assertThatThrownBy(() -> replicas.open("").close())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("IntervalStyle")
          .hasMessageContaining("First give both the same");
    }
  }
}
