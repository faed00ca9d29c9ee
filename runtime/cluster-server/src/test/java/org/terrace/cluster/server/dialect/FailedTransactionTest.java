package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.server.copy.TwoServers;

/**
 * Failures with which MariaDB may undo a transaction, as a real server raises them at a statement's
 * word: the transaction is as it was, until it is undone by hand.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class FailedTransactionTest {
  private static final int LOCKS_FULL = 1206;
  private static final int[] MAY_UNDO = {1020, 1205, LOCKS_FULL};
  private static final int DUPLICATE_KEY = 1062;

  @Test
  void aServerIsAskedIfItHasUndoneTheTransaction() throws Exception {
    try (TwoServers servers = new TwoServers("mariadb");
        Connection connection = servers.connect(0);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY)");
      connection.setAutoCommit(false);
      for (int error : MAY_UNDO) {
        statement.execute("INSERT INTO kept VALUES (" + error + ")");
        SQLException failure = failure(statement, error);
        assertThat(FailedTransaction.isUndoneBy(failure, connection)).as("%s", error).isFalse();
        connection.rollback();
        assertThat(FailedTransaction.isUndoneBy(failure, connection)).as("%s", error).isTrue();
      }
      SQLException duplicate = failure(statement, DUPLICATE_KEY);
      assertThat(FailedTransaction.isUndoneBy(duplicate, connection)).isFalse();
      assertThat(FailureKind.of(duplicate)).isEqualTo(FailureKind.WRONG);
      // Who gave up says nothing of its data against the others.
      SQLException full = failure(statement, LOCKS_FULL);
      assertThat(FailureKind.of(full)).isEqualTo(FailureKind.GAVE_UP);
    }
  }

  private static SQLException failure(Statement statement, int error) {
    try {
      statement.execute(
          "BEGIN NOT ATOMIC SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = " + error + "; END");
    } catch (SQLException e) {
      assertThat(e.getErrorCode()).isEqualTo(error);
      return e;
    }
    throw new AssertionError("It did not fail.");
  }
}
