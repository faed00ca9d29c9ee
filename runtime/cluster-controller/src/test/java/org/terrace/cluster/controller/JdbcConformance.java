package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.FailingDeed;

/** The things that a program may ask of JDBC, whichever of the two drivers it has. */
abstract class JdbcConformance extends ValueConformance {
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void savepointsUndoAPartOfATransaction(String engine) throws SQLException {
    try (Connection connection = connect(engine)) {
      assertThatThrownBy(connection::setSavepoint)
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("25000"));
      connection.setAutoCommit(false);
      insert(connection, 1);
      Savepoint first = connection.setSavepoint();
      insert(connection, 2);
      Savepoint second = connection.setSavepoint("second");
      assertThat(second.getSavepointName()).isEqualTo("second");
      insert(connection, 3);
      assertThatThrownBy(() -> insert(connection, 3))
          .satisfies(failure -> assertThat(state(failure)).startsWith("23"));
      connection.rollback(second);
      assertThat(names(connection)).containsExactly("n1", "n2");
      connection.rollback(first);
      insert(connection, 4);
      Savepoint third = connection.setSavepoint();
      insert(connection, 5);
      connection.releaseSavepoint(third);
      connection.commit();
      assertThat(names(connection)).containsExactly("n1", "n4", "n5");
      connection.rollback();
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void batchesTellTheirCounts(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        PreparedStatement prepared =
            connection.prepareStatement("INSERT INTO item (id, name) VALUES (?, ?)");
        Statement statement = connection.createStatement()) {
      for (int i = 1; i <= 3; i++) {
        prepared.setInt(1, i);
        prepared.setString(2, "n" + i);
        prepared.addBatch();
      }
      assertThat(prepared.executeBatch()).hasSize(3);
      assertThat(prepared.executeBatch()).isEmpty();
      statement.addBatch("UPDATE item SET name = 'x' WHERE id > 1");
      statement.addBatch("DELETE FROM item WHERE id = 1");
      assertThat(statement.executeBatch()).containsExactly(2, 1);
      assertThat(names(connection)).containsExactly("x", "x");
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aBatchThatFailsSaysHowFarItCame(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        Statement statement = connection.createStatement();
        PreparedStatement prepared =
            connection.prepareStatement("INSERT INTO item (id, name) VALUES (?, 'p')")) {
      statement.addBatch("INSERT INTO item (id, name) VALUES (1, 'a'), (2, 'b')");
      statement.addBatch("INSERT INTO item (id, name) VALUES (1, 'again')");
      statement.addBatch("INSERT INTO item (id, name) VALUES (3, 'c')");
      BatchUpdateException failure =
          catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
      assertThat(failure.getUpdateCounts()).containsExactly(2);
      assertThat(failure.getSQLState()).startsWith("23");
      assertThat(names(connection)).containsExactly("a", "b");

      for (int id : new int[] {10, 11, 10, 12}) {
        prepared.setInt(1, id);
        prepared.addBatch();
      }
      BatchUpdateException rows =
          catchThrowableOfType(BatchUpdateException.class, prepared::executeBatch);
      assertThat(rows.getSQLState()).startsWith("23");
      assertThat(rows.getUpdateCounts()).hasSizeGreaterThanOrEqualTo(1);
      assertThat(rows.getUpdateCounts()).contains(Statement.EXECUTE_FAILED);
      assertThat(names(connection)).containsExactly("a", "b");
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void generatedKeysAreTold(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        PreparedStatement flagged =
            connection.prepareStatement(
                "INSERT INTO numbered (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS);
        PreparedStatement named =
            connection.prepareStatement(
                "INSERT INTO numbered (name) VALUES (?)", new String[] {"id"});
        Statement plain = connection.createStatement()) {
      flagged.setString(1, "a");
      assertThat(flagged.executeUpdate()).isEqualTo(1);
      int first = onlyKey(flagged);
      named.setString(1, "b");
      assertThat(named.executeUpdate()).isEqualTo(1);
      assertThat(onlyKey(named)).isGreaterThan(first);
      plain.executeUpdate(
          "INSERT INTO numbered (name) VALUES ('c')", Statement.RETURN_GENERATED_KEYS);
      int third = onlyKey(plain);
      for (String name : List.of("d", "e")) {
        flagged.setString(1, name);
        flagged.addBatch();
      }
      flagged.executeBatch();
      List<Integer> keys = new ArrayList<>();
      try (ResultSet rows = flagged.getGeneratedKeys()) {
        while (rows.next()) {
          keys.add(rows.getInt(1));
        }
      }
      assertThat(keys).containsExactly(third + 1, third + 2);
      plain.executeUpdate("DELETE FROM numbered");
      assertThatThrownBy(plain::getGeneratedKeys)
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("2F000"));
      assertThatThrownBy(
              () -> connection.prepareStatement("INSERT INTO numbered VALUES (?)", new int[] {1}))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
  }

  private static int onlyKey(Statement statement) throws SQLException {
    try (ResultSet rows = statement.getGeneratedKeys()) {
      assertThat(rows.next()).isTrue();
      int key = rows.getInt(1);
      assertThat(rows.next()).isFalse();
      return key;
    }
  }

  private static void bringLargeValue(Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE item SET large = ? WHERE id = 1")) {
      update.setBytes(1, new byte[LARGE]);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  /** A query that nobody waits for to its end. */
  private static final String LONG =
      "SELECT count(*) FROM item a, item b, item c, item d, item e, item f WHERE a.id + b.id + c.id + d.id + e.id > f.id";

  private static String givenUp(String engine) {
    return engine.equals(POSTGRES) ? "57014" : "70100";
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aStatementCanBeCancelledAndOthersGoOn(String engine) throws Exception {
    try (Connection connection = connect(engine);
        Connection other = connect(engine);
        Statement statement = connection.createStatement()) {
      fill(connection, 300);
      CompletableFuture<SQLException> failed = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try (ResultSet rows = statement.executeQuery(LONG)) {
              failed.completeExceptionally(new AssertionError("it came to its end: " + rows));
            } catch (SQLException e) {
              failed.complete(e);
            }
          });
      failed.orTimeout(60, TimeUnit.SECONDS);
      while (!failed.isDone()) {
        statement.cancel();
        assertThat(names(other)).hasSize(300);
      }
      assertThat(failed.get().getSQLState()).isEqualTo(givenUp(engine));
      assertThat(names(connection)).hasSize(300);
    }
  }

  /**
   * A query whose first rows come at once, and fill what lies between, and the others never. A
   * server of MariaDB keeps back as much as the largest value that its connection ever brought.
   */
  private static final String SLOW_PAGES =
      "SELECT repeat('x', %d), CASE WHEN g.id > 20 THEN (%s AND f.id < g.id) END FROM item g"
          .formatted(LARGE, LONG);

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aPageCanBeCancelledAndOthersGoOn(String engine) throws Exception {
    try (Connection connection = connect(engine);
        Connection other = connect(engine);
        Statement statement = connection.createStatement()) {
      fill(connection, 300);
      bringLargeValue(connection);
      connection.setAutoCommit(false);
      insert(connection, 301);
      statement.setFetchSize(1);
      ResultSet rows = statement.executeQuery(SLOW_PAGES);
      assertThat(rows.next()).isTrue();
      CompletableFuture<SQLException> failed =
          FailingDeed.begin(() -> {
            while (rows.next()) {
              assertThat(rows.getString(1)).hasSize(LARGE);
            }
          });
      failed.orTimeout(60, TimeUnit.SECONDS);
      while (!failed.isDone()) {
        statement.cancel();
        assertThat(names(other)).hasSize(300);
      }
      assertThat(failed.get().getSQLState()).isEqualTo(givenUp(engine));
      if (engine.equals(POSTGRES)) {
        assertThatThrownBy(() -> insert(connection, 302))
            .satisfies(failure -> assertThat(state(failure)).isEqualTo("25P02"));
      }
      connection.rollback();
      insert(connection, 303);
      connection.commit();
      assertThat(names(other)).hasSize(301).contains("n303");
    }
    assertThat(source(engine).losses()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aQueryEndsWhenItsTimeIsOver(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        Statement statement = connection.createStatement()) {
      fill(connection, 300);
      statement.setQueryTimeout(1);
      assertThat(statement.getQueryTimeout()).isEqualTo(1);
      assertThatThrownBy(() -> statement.executeQuery(LONG))
          .isInstanceOf(SQLException.class)
          .satisfies(failure -> assertThat(state(failure)).isEqualTo(givenUp(engine)));
      assertThat(names(connection)).hasSize(300);
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void executeTellsWhetherThereAreRows(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        Statement statement = connection.createStatement()) {
      assertThat(statement.execute("INSERT INTO item (id) VALUES (1), (2)")).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(2);
      assertThat(statement.getResultSet()).isNull();
      assertThat(statement.execute("SELECT id FROM item")).isTrue();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.getResultSet().next()).isTrue();
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThatThrownBy(() -> statement.executeUpdate("SELECT id FROM item"))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("0100E"));
      assertThatThrownBy(() -> statement.executeQuery("DELETE FROM item"))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("02000"));
      Statement closed;
      try (Statement other = connection.createStatement()) {
        closed = other;
      }
      assertThatThrownBy(() -> closed.execute("SELECT 1"))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("08003"));
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatARealConnectionHasIsRefusedWithTheWayOut(String engine) throws Exception {
    Class<?> real = Class.forName("org.postgresql.PGConnection");
    try (Connection connection = connect(engine);
        Statement statement = connection.createStatement()) {
      assertThat(connection.isWrapperFor(real)).isFalse();
      assertThatThrownBy(() -> connection.unwrap(real))
          .hasMessageContaining("write rows as a batch")
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("0A000"));
      String copy =
          engine.equals(MARIADB)
              ? "LOAD DATA LOCAL INFILE 'items.csv' INTO TABLE item"
              : "COPY item FROM STDIN";
      assertThatThrownBy(() -> statement.execute(copy))
          .hasMessageContaining("addBatch")
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("0A000"));
      connection.setAutoCommit(false);
      for (int id = 1; id <= 1_000; id++) {
        statement.addBatch("INSERT INTO item (id) VALUES (" + id + ")");
      }
      assertThat(statement.executeBatch()).hasSize(1_000).containsOnly(1);
      statement.setFetchSize(100);
      try (ResultSet rows = statement.executeQuery("SELECT id FROM item")) {
        int many = 0;
        while (rows.next()) {
          many++;
        }
        assertThat(many).isEqualTo(1_000);
      }
      connection.commit();
    }
  }
}
