package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Commits that break a rule which is checked at the end, and what servers remember after them. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class UndoneCommitTest {
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final String FOREIGN_KEY_VIOLATION = "23503";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serversForgetWhatAllHaveAfterOne(boolean autoCommit) throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = replicas.open("?leaseMillis=300&log=" + directory)) {
      execute(source, "CREATE TABLE author (id INT PRIMARY KEY)");
      execute(
          source,
          "CREATE TABLE book (id INT PRIMARY KEY,"
              + " author INT REFERENCES author (id) DEFERRABLE INITIALLY DEFERRED)");

      assertThatThrownBy(() -> writeABookOfNobody(source, autoCommit))
          .isInstanceOf(SQLException.class)
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo(FOREIGN_KEY_VIOLATION);

      for (int id = 1; id <= 5; id++) {
        execute(source, "INSERT INTO author VALUES (" + id + ")");
      }
      assertThat(Await.until(LONGEST, () -> remembersOneAtMost(replicas)))
          .as("each server has forgotten all but the last position")
          .isTrue();
      assertThat(replicas.everywhere("SELECT count(*) FROM book", 0, 1)).containsOnly("0\n");
    }
  }

  private static void writeABookOfNobody(ClusterDataSource source, boolean autoCommit)
      throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(autoCommit);
      statement.executeUpdate("INSERT INTO book VALUES (1, 99)");
      if (!autoCommit) {
        connection.commit();
      }
    }
  }

  private static boolean remembersOneAtMost(RealReplicas replicas) {
    try {
      return replicas.everywhere("SELECT count(*) <= 1 FROM terrace.applied", 0, 1).stream()
          .allMatch("t\n"::equals);
    } catch (SQLException e) {
      throw new IllegalStateException("A server does not answer", e);
    }
  }
}
