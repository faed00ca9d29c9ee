package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * Further pages of a result that fail at the one server that they come from: on PostgreSQL the
 * transaction has failed there, and so it has at all.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class FailedPagesTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** A query whose first page is right, and whose second divides by zero. */
  private static final String BROKEN = "SELECT 6 / (3 - id) FROM generate_series(1, 4) AS id";

  /** A query whose first page comes at once, and whose second after an hour. */
  private static final String SLOW =
      "SELECT CASE WHEN id > 2 THEN pg_sleep(3600)::text END FROM generate_series(1, 4) AS id";

  private static RealReplicas replicas;
  private static ClusterDataSource source;

  @BeforeAll
  static void start() throws Exception {
    replicas = RealReplicas.start("postgresql", 2);
    source = replicas.open("?functions=pg_sleep");
    ClusterSteps.execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
  }

  @AfterAll
  static void stop() {
    source.close();
    replicas.close();
  }

  @BeforeEach
  void fill() throws SQLException {
    ClusterSteps.execute(source, "DELETE FROM kept");
    ClusterSteps.execute(source, "INSERT INTO kept VALUES (1), (2), (3), (4)");
  }

  private interface Deed {
    void run(Connection connection, Statement statement) throws SQLException;
  }

  /** Does it in a transaction, and looks whether all servers go on as if it had not been. */
  private static void leavesNothing(Deed deed) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(2);
      deed.run(connection, statement);
      assertThat(insert(connection, 9)).isEqualTo(1);
      connection.commit();
    }
    assertThat(source.losses()).isEmpty();
    assertThat(replicas.everywhere("SELECT count(*), max(id) FROM kept", 0, 1))
        .containsExactly("5|9\n", "5|9\n");
  }

  private static int insert(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate("INSERT INTO kept VALUES (" + id + ")");
    }
  }

  private static void failOnTheSecondPage(Statement statement) throws SQLException {
    ResultSet rows = statement.executeQuery(BROKEN);
    assertThat(rows.next()).isTrue();
    assertThat(rows.next()).isTrue();
    assertThat(catchThrowableOfType(SQLException.class, rows::next).getSQLState())
        .isEqualTo("22012");
  }

  private static void isFailed(FailingDeed deed) {
    assertThatThrownBy(deed::run)
        .isInstanceOf(SQLException.class)
        .extracting(failure -> ((SQLException) failure).getSQLState())
        .isEqualTo("25P02");
  }

  @Test
  void transactionThatHasWrittenHasFailedAtAllServers() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      failOnTheSecondPage(statement);
      isFailed(() -> insert(connection, 6));
      isFailed(() -> statement.executeQuery("SELECT 1"));
      isFailed(connection::setSavepoint);
      connection.rollback();
    });
  }

  @Test
  void transactionThatHasOnlyReadHasFailedToo() throws SQLException {
    leavesNothing((connection, statement) -> {
      failOnTheSecondPage(statement);
      isFailed(() -> insert(connection, 6));
      isFailed(connection::commit);
    });
  }

  @Test
  void itsCommitIsARollback() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      failOnTheSecondPage(statement);
      isFailed(connection::commit);
    });
  }

  @Test
  void whatLooksForTheLastRowMayFailAsWell() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      ResultSet rows = statement.executeQuery(BROKEN);
      assertThat(rows.next()).isTrue();
      assertThat(rows.next()).isTrue();
      assertThatThrownBy(rows::isLast).isInstanceOf(SQLException.class);
      isFailed(() -> insert(connection, 6));
      connection.rollback();
    });
  }

  @Test
  void savepointBeforeItIsGoneBackTo() throws SQLException {
    leavesNothing((connection, statement) -> {
      Savepoint before = connection.setSavepoint();
      insert(connection, 5);
      failOnTheSecondPage(statement);
      isFailed(() -> connection.releaseSavepoint(before));
      connection.rollback(before);
    });
  }

  @Test
  void cancelledPageFailsIt() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      ResultSet rows = statement.executeQuery(SLOW);
      assertThat(rows.next()).isTrue();
      assertThat(rows.next()).isTrue();
      CompletableFuture<SQLException> page = FailingDeed.begin(rows::next);
      assertThat(Await.until(SOON, FailedPagesTest::isAsleep)).isTrue();
      statement.cancel();
      assertThat(page).succeedsWithin(SOON);
      assertThat(page.join().getSQLState()).isEqualTo("57014");
      isFailed(() -> insert(connection, 6));
      connection.rollback();
    });
  }

  private static boolean isAsleep() {
    try {
      return replicas
          .everywhere("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'", 0, 1)
          .contains("1\n");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void readThatFailsAtItsFirstPageHasFailedItAtAllServers() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      assertThatThrownBy(() -> statement.executeQuery("SELECT 6 / (id - id) FROM kept FOR UPDATE"))
          .isInstanceOf(SQLException.class);
      isFailed(() -> insert(connection, 6));
      connection.rollback();
    });
  }

  /** Outside of transactions it is committed before its client sees the first of its rows. */
  @Test
  void rowsThatAreLockedOutsideOfTransactionsAreAllThere() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setFetchSize(2);
      ResultSet rows = statement.executeQuery("SELECT id FROM kept ORDER BY id FOR UPDATE");
      for (int id = 1; id <= 4; id++) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(id);
      }
      assertThat(rows.next()).isFalse();
    }
  }

  /** The driver refuses to read it, and its server knows nothing of that. */
  @Test
  void resultThatWasClosedFailsNothing() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      ResultSet rows = statement.executeQuery(BROKEN);
      rows.close();
      assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
      assertThat(insert(connection, 6)).isEqualTo(1);
      connection.rollback();
    });
  }

  @Test
  void resultOfAnEarlierTransactionFailsNothing() throws SQLException {
    leavesNothing((connection, statement) -> {
      insert(connection, 5);
      ResultSet rows = statement.executeQuery(BROKEN);
      assertThat(rows.next()).isTrue();
      assertThat(rows.next()).isTrue();
      connection.rollback();
      insert(connection, 6);
      assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
      assertThat(insert(connection, 7)).isEqualTo(1);
      connection.rollback();
    });
  }
}
