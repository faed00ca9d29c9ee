package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A transaction that one server has ended in its own way because of a failure within it: PostgreSQL
 * takes nothing more of it but its end, after any failure; MariaDB has undone it, after some, and
 * takes what follows as another one.
 */
public final class FailedTransaction {
  private static final int MARIADB_ROW_CHANGED = 1020;

  private FailedTransaction() {}

  /**
   * Whether MariaDB has undone the transaction of a connection with a failure; it is asked where
   * that depends on its settings. For whoever uses the connection, behind the failure.
   */
  public static boolean isUndoneBy(SQLException failure, Connection connection) {
    return switch (failure.getErrorCode()) {
      case FailureKind.MARIADB_DEADLOCK -> true;
      case FailureKind.MARIADB_LOCK_WAIT, FailureKind.MARIADB_LOCKS_FULL, MARIADB_ROW_CHANGED ->
          isOver(connection);
      default -> false;
    };
  }

  private static boolean isOver(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("SELECT @@in_transaction")) {
      return answer.next() && answer.getInt(1) == 0;
    } catch (SQLException e) {
      // Who cannot tell may have lost it.
      return true;
    }
  }

  /**
   * Whether the transaction of a PostgreSQL connection is such a one, as far as the server has
   * answered; it is not asked.
   *
   * @throws SQLException if the connection is closed
   */
  static boolean isOn(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
        && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
  }
}
