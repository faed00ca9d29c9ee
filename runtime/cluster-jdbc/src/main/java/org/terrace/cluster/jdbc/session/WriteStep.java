package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.terrace.cluster.jdbc.core.StatementOutcome;
import org.terrace.cluster.jdbc.replica.FailureKind;

/** One statement at all replicas: what it left at each, until one is chosen. Thread-safe. */
final class WriteStep {
  private static final int NONE = -1;

  private final StatementRequest request;
  private final RunningStatements running;
  private final Map<Integer, OpenResult> results = new HashMap<>();
  private final Map<Integer, SQLException> failures = new HashMap<>();
  private int chosen = NONE;

  WriteStep(StatementRequest request, RunningStatements running) {
    this.request = request;
    this.running = running;
  }

  /** Executes the statement at a replica; only the loss of the replica is thrown. */
  StatementOutcome run(int replica, Connection connection) throws SQLException {
    try {
      OpenResult result = request.write(connection, running);
      synchronized (this) {
        if (chosen != NONE && chosen != replica) {
          result.close();
        } else {
          results.put(replica, result);
        }
      }
      return StatementOutcome.done(result.fingerprint());
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.LOST) {
        throw e;
      }
      synchronized (this) {
        failures.put(replica, e);
      }
      return FailureKind.outcome(e);
    }
  }

  /** The result of the replica whose answer counts. */
  synchronized OpenResult choose(int replica) throws SQLException {
    chosen = replica;
    SQLException failure = failures.get(replica);
    if (failure != null) {
      throw failure;
    }
    OpenResult result = results.remove(replica);
    if (result == null) {
      throw new IllegalStateException("replica " + replica + " was chosen and has no result");
    }
    return result;
  }

  /** Closes what is left of a replica that was not chosen. */
  synchronized void discard(int replica) {
    OpenResult result = results.remove(replica);
    if (result != null) {
      result.close();
    }
  }
}
