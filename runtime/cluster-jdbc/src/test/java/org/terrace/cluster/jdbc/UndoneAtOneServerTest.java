package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;
import static org.terrace.cluster.jdbc.ClusterSteps.stateOf;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
 * Reads of a transaction that has written, at whose one server MariaDB undoes it with the failure:
 * it is undone at all servers. A read that fails and undoes nothing leaves it as it is.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class UndoneAtOneServerTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int ROWS = 60;
  private static final int FIRST_OF_ANOTHER = 30;
  private static final String CONTENTS = "SELECT id, name FROM kept WHERE name > 0 ORDER BY id";

  private static RealReplicas replicas;
  private static ClusterDataSource source;

  @BeforeAll
  static void start() throws Exception {
    replicas = RealReplicas.start("mariadb", 2);
    source = replicas.open("");
    execute(source, "CREATE TABLE kept (id INT PRIMARY KEY, name INT NOT NULL)");
  }

  @AfterAll
  static void stop() {
    source.close();
    replicas.close();
  }

  @BeforeEach
  void fill() throws SQLException {
    execute(source, "DELETE FROM kept");
    StringBuilder rows = new StringBuilder("INSERT INTO kept VALUES (1, 0)");
    for (int id = 2; id <= ROWS; id++) {
      rows.append(", (").append(id).append(", 0)");
    }
    execute(source, rows.toString());
  }

  private interface Read {
    void run(Statement statement) throws SQLException;
  }

  @Test
  void deadlockOfAReadUndoesItEverywhere() throws Exception {
    undoesItEverywhere(statement ->
        statement.executeQuery(
            "SELECT name FROM kept WHERE id = " + FIRST_OF_ANOTHER + " FOR UPDATE"));
  }

  @Test
  void deadlockOfALaterPageUndoesItEverywhere() throws Exception {
    undoesItEverywhere(statement -> {
      statement.setFetchSize(2);
      ResultSet rows =
          statement.executeQuery("SELECT id FROM kept WHERE id > 1 ORDER BY id FOR UPDATE");
      while (rows.next()) {
        assertThat(rows.getInt(1)).isLessThan(FIRST_OF_ANOTHER);
      }
    });
  }

  /** Writes, and reads what another has that waits for what was written and has more to lose. */
  private static void undoesItEverywhere(Read read) throws Exception {
    try (Connection other = replicas.direct(0);
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      write(connection, 1, 1);
      other.setAutoCommit(false);
      try (Statement many = other.createStatement()) {
        many.executeUpdate("UPDATE kept SET name = -1 WHERE id >= " + FIRST_OF_ANOTHER);
      }
      CompletableFuture<Void> waiting = new CompletableFuture<>();
      Thread.startVirtualThread(() -> {
        try {
          write(other, 1, -1);
          waiting.complete(null);
        } catch (SQLException e) {
          waiting.completeExceptionally(e);
        }
      });
      assertThat(Await.until(SOON, UndoneAtOneServerTest::isWaiting)).isTrue();

      assertThat(stateOf(() -> read.run(statement))).isEqualTo("40001");

      assertThat(waiting).succeedsWithin(SOON);
      other.rollback();
      assertThat(stateOf(() -> write(connection, 3, 3))).isEqualTo("25P02");
      assertThat(stateOf(connection::commit)).isEqualTo("25P02");
      write(connection, 4, 4);
      connection.commit();
    }
    assertThat(replicas.everywhere(CONTENTS, 0, 1)).containsOnly("4|4\n");
    assertThat(source.losses()).isEmpty();
  }

  @Test
  void lockThatIsNotWaitedForUndoesNothing() throws Exception {
    try (Connection other = replicas.direct(0);
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      other.setAutoCommit(false);
      write(other, 2, -1);
      connection.setAutoCommit(false);
      write(connection, 1, 1);
      FailingDeed read =
          () -> statement.executeQuery("SELECT name FROM kept WHERE id = 2 FOR UPDATE NOWAIT");
      assertThat(stateOf(read)).isEqualTo("HY000");
      write(connection, 3, 3);
      connection.commit();
      other.rollback();
    }
    assertThat(replicas.everywhere(CONTENTS, 0, 1)).containsOnly("1|1\n3|3\n");
    assertThat(source.losses()).isEmpty();
  }

  private static void write(Connection connection, int id, int name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE kept SET name = %d WHERE id = %d".formatted(name, id));
    }
  }

  private static boolean isWaiting() {
    String query =
        "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    try {
      return replicas.everywhere(query, 0).contains("1\n");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
