package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * A request to give up a statement that was asked to end before. PostgreSQL forgets a request that
 * comes before the statement does, and its driver takes every statement that was asked for one that
 * ends: it asks no second time, unless its connection is told to.
 */
final class RepeatedCancel {
  private RepeatedCancel() {}

  /**
   * Asks the server again to give up what the connection of a statement executes.
   *
   * @param statement one that is executed now; what follows it on its connection would be given up,
   *     too
   * @throws SQLException if the server cannot be asked
   */
  static void of(Statement statement) throws SQLException {
    Connection connection = statement.getConnection();
    // What its kind is told by waits for no server, and is no call among those that are counted.
    if (connection.isWrapperFor(PGConnection.class)) {
      connection.unwrap(PGConnection.class).cancelQuery();
    } else {
      statement.cancel();
    }
  }
}
