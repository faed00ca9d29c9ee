package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The real statements that execute one statement of a client now. Thread-safe. */
final class RunningStatements {
  private final Set<Statement> running = ConcurrentHashMap.newKeySet();

  void begin(Statement statement) {
    running.add(statement);
  }

  void end(Statement statement) {
    running.remove(statement);
  }

  /** Asks the servers to give up. */
  void cancel() throws SQLException {
    for (Statement statement : running) {
      statement.cancel();
    }
  }
}
