package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A transaction of which its server takes nothing more but its end, as PostgreSQL does after any
 * failure within it. MariaDB has none.
 */
final class FailedTransaction {
  private FailedTransaction() {}

  /**
   * Whether the transaction of a connection is such a one, as far as the server has answered; it is
   * not asked.
   *
   * @throws SQLException if the connection is closed
   */
  static boolean isOn(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")
        && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
  }
}
