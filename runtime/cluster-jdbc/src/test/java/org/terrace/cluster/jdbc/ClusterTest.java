package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * A cluster over three real servers, of both engines, which cost more to start than to use: servers
 * are killed and return ({@link ReturnSteps}); then it is written to, read from, and short of one.
 */
@Tag("real-processes")
@Tag("untimed")
class ClusterTest {
  private static final String ACCOUNTS = "SELECT id, owner, balance FROM account ORDER BY id";

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aClusterSurvivesLossesTakesServersBackAndKeepsThemEqual(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 3)) {
      ReturnSteps.take(replicas, engine, directory.resolve(engine));
      aClusterIsWrittenReadAndSurvives(replicas, engine);
    }
  }

  private static void aClusterIsWrittenReadAndSurvives(RealReplicas replicas, String engine)
      throws Exception {
    try (ClusterDataSource source = replicas.open("")) {
      try (Connection connection = source.getConnection()) {
        makeAccounts(connection);
        transactionsAreAtomic(connection, replicas);
        whatDiffersIsFoundOnce(connection, replicas, engine);
        whatCannotBeTheSameIsRefused(connection);
        aWrongStatementFailsAlike(connection, replicas);
        assertThat(source.losses()).isEmpty();
      }
      theUrlWorksByTheDriverManager(replicas);
      whoDiffersIsTakenOut(source, replicas);
      aLostServerIsTakenOut(source, replicas);
    }
  }

  private static void makeAccounts(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(40) NOT NULL,"
              + " balance BIGINT NOT NULL, opened TIMESTAMP(6) NULL)");
      statement.executeUpdate("INSERT INTO account (id, owner, balance) VALUES (1, 'Ann', 100)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO account (id, owner, balance) VALUES (?, ?, ?)")) {
      for (int id = 2; id <= 4; id++) {
        insert.setInt(1, id);
        insert.setString(2, "owner " + id);
        insert.setLong(3, 100);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(3);
    }
  }

  private static void transactionsAreAtomic(Connection connection, RealReplicas replicas)
      throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement move =
        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
      move(move, -10, 1);
      Savepoint savepoint = connection.setSavepoint();
      move(move, -50, 1);
      connection.rollback(savepoint);
      move(move, 10, 2);
      assertThat(RealReplicas.rows(connection, "SELECT balance FROM account WHERE id = 1"))
          .isEqualTo("90\n");
      connection.commit();
      move(move, 1000, 3);
      connection.rollback();
    }
    connection.setAutoCommit(true);

    List<String> everywhere = replicas.everywhere(ACCOUNTS, 0, 1, 2);
    assertThat(everywhere.getFirst())
        .isEqualTo("1|Ann|90\n2|owner 2|110\n3|owner 3|100\n4|owner 4|100\n");
    assertThat(new HashSet<>(everywhere)).hasSize(1);
  }

  private static void move(PreparedStatement statement, long amount, int id) throws SQLException {
    statement.setLong(1, amount);
    statement.setInt(2, id);
    assertThat(statement.executeUpdate()).isEqualTo(1);
  }

  private static void whatDiffersIsFoundOnce(
      Connection connection, RealReplicas replicas, String engine) throws SQLException {
    boolean postgres = engine.equals("postgresql");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE event (id VARCHAR(40) PRIMARY KEY DEFAULT %s, chance DOUBLE PRECISION,"
                  .formatted(postgres ? "gen_random_uuid()" : "(uuid())")
              + " at TIMESTAMP(6) DEFAULT CURRENT_TIMESTAMP(6), note VARCHAR(20) DEFAULT 'x')");
      String chance = postgres ? "random()" : "rand()";
      statement.executeUpdate("INSERT INTO event (chance) VALUES (" + chance + ")");
      statement.executeUpdate("INSERT INTO event (chance, note) VALUES (1, 'a'), (2, DEFAULT)");
      statement.executeUpdate("UPDATE account SET opened = now() WHERE id < 3");
    }
    for (String query :
        List.of("SELECT * FROM event ORDER BY id", "SELECT id, opened FROM account ORDER BY id")) {
      List<String> everywhere = replicas.everywhere(query, 0, 1, 2);
      assertThat(new HashSet<>(everywhere)).as(query).hasSize(1);
      assertThat(everywhere.getFirst()).contains("|2");
    }
  }

  private static void whatCannotBeTheSameIsRefused(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String refused :
          List.of(
              "DELETE FROM account LIMIT 1",
              "INSERT INTO event (note) SELECT owner FROM account",
              "SELECT strange(1)",
              "COMMIT",
              "CREATE TEMPORARY TABLE t (a INT)")) {
        assertThatThrownBy(() -> statement.execute(refused))
            .as(refused)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("Instead: ")
            .extracting(failure -> ((SQLException) failure).getSQLState())
            .isEqualTo("0A000");
      }
    }
  }

  private static void aWrongStatementFailsAlike(Connection connection, RealReplicas replicas)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(
              () -> statement.executeUpdate("INSERT INTO account VALUES (1, 'twice', 0, NULL)"))
          .isInstanceOf(SQLException.class)
          .extracting(failure -> ((SQLException) failure).getSQLState().substring(0, 2))
          .isEqualTo("23");
    }
    assertThat(new HashSet<>(replicas.everywhere(ACCOUNTS, 0, 1, 2))).hasSize(1);
  }

  private static void theUrlWorksByTheDriverManager(RealReplicas replicas) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    try (Connection connection =
            DriverManager.getConnection(replicas.url(RealReplicas.patient("")), properties);
        ResultSet tables =
            connection.getMetaData().getTables(null, null, "account", new String[] {"TABLE"})) {
      assertThat(tables.next()).isTrue();
      assertThat(connection.getMetaData().getURL()).startsWith("jdbc:terrace:");
    }
    assertThatThrownBy(() -> DriverManager.getConnection(replicas.url("?wait=1"), properties))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("'wait'")
        .hasMessageContaining("writes");
  }

  /** A row that was changed behind the cluster's back makes the count of a write differ. */
  private static void whoDiffersIsTakenOut(ClusterDataSource source, RealReplicas replicas)
      throws SQLException {
    try (Connection direct = replicas.direct(0);
        Statement statement = direct.createStatement()) {
      statement.executeUpdate("DELETE FROM account WHERE id = 4");
    }
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("UPDATE account SET balance = 7 WHERE id = 4"))
          .isEqualTo(1);
    }
    assertThat(source.losses()).containsOnlyKeys(replicas.place(0));
    assertThat(source.losses().get(replicas.place(0))).contains("otherwise");
    assertThat(new HashSet<>(replicas.everywhere(ACCOUNTS, 1, 2))).hasSize(1);
  }

  private static void aLostServerIsTakenOut(ClusterDataSource source, RealReplicas replicas)
      throws SQLException {
    replicas.stop(1);
    try (Connection connection = source.getConnection()) {
      for (int i = 0; i < 20; i++) {
        assertThat(RealReplicas.rows(connection, "SELECT count(*) FROM account")).isEqualTo("4\n");
      }
      assertThat(Await.until(Duration.ofSeconds(10), () -> source.losses().size() == 2)).isTrue();
      try (Statement statement = connection.createStatement()) {
        assertThatThrownBy(() -> statement.executeUpdate("DELETE FROM account WHERE id = 3"))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("1 of at least 2")
            .extracting(failure -> ((SQLException) failure).getSQLState())
            .isEqualTo("25006");
      }
    }
  }
}
