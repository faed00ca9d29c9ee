package org.terrace.cluster.jdbc.statement;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The real statements that execute one statement of a client now. Thread-safe. */
public final class RunningStatements {
  private final Set<Statement> running = ConcurrentHashMap.newKeySet();
  private final Set<RunningStatements> parts = ConcurrentHashMap.newKeySet();

  public void begin(Statement statement) {
    running.add(statement);
  }

  public void end(Statement statement) {
    running.remove(statement);
  }

  /** Counts others among these, until {@link #end(RunningStatements)}. */
  public void begin(RunningStatements part) {
    parts.add(part);
  }

  /** Counts others among these no more: their client has its answer. */
  public void end(RunningStatements part) {
    parts.remove(part);
  }

  /** Asks the servers to give up. */
  public void cancel() throws SQLException {
    for (RunningStatements part : parts) {
      part.cancel();
    }
    for (Statement statement : running) {
      statement.cancel();
    }
  }
}
