package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.replica.FailureKind;
import org.terrace.cluster.jdbc.statement.OpenResult;
import org.terrace.cluster.jdbc.statement.RunningStatements;
import org.terrace.cluster.jdbc.statement.StatementRequest;

/** One statement at all replicas: what it left at each, until one is chosen. Thread-safe. */
final class WriteStep {
  private static final int NONE = -1;

  private final StatementRequest request;
  private final RunningStatements running;
  private final Map<Integer, OpenResult> results = new HashMap<>();
  private final Map<Integer, SQLException> failures = new HashMap<>();
  private final Map<Integer, StatementOutcome> outcomes = new HashMap<>();
  private int chosen = NONE;

  WriteStep(StatementRequest request, RunningStatements running) {
    this.request = request;
    this.running = running;
  }

  /** Executes the statement at a replica; only the loss of the replica is thrown. */
  StatementOutcome run(int replica, Connection connection) throws SQLException {
    try {
      OpenResult result = request.write(connection, running);
      StatementOutcome outcome = StatementOutcome.done(result.fingerprint());
      synchronized (this) {
        outcomes.put(replica, outcome);
        if (chosen != NONE && chosen != replica) {
          result.close();
        } else {
          results.put(replica, result);
        }
      }
      return outcome;
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.LOST) {
        throw e;
      }
      StatementOutcome outcome = FailureKind.outcome(e);
      synchronized (this) {
        failures.put(replica, e);
        outcomes.put(replica, outcome);
      }
      return outcome;
    }
  }

  /** The outcome at the replica whose answer counts. */
  synchronized StatementOutcome outcome(int replica) {
    StatementOutcome outcome = outcomes.get(replica);
    if (outcome == null) {
      throw new IllegalStateException("replica " + replica + " was chosen and has no outcome");
    }
    return outcome;
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
