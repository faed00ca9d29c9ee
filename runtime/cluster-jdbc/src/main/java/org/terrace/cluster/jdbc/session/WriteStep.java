package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.replica.FailureKind;
import org.terrace.cluster.jdbc.statement.OpenResult;
import org.terrace.cluster.jdbc.statement.RunningStatements;
import org.terrace.cluster.jdbc.statement.StatementRequest;

/** One statement at all replicas, and what it left at each. Thread-safe. */
final class WriteStep {
  private final StatementRequest request;
  private final RunningStatements running;
  private final ReplicaResults<OpenResult> results = new ReplicaResults<>(OpenResult::close);

  WriteStep(StatementRequest request, RunningStatements running) {
    this.request = request;
    this.running = running;
  }

  /** Executes the statement at a replica; only the loss of the replica is thrown. */
  StatementOutcome run(int replica, Connection connection) throws SQLException {
    try {
      OpenResult result = request.write(connection, running);
      StatementOutcome outcome = StatementOutcome.done(result.fingerprint());
      results.done(replica, outcome, result);
      return outcome;
    } catch (SQLException e) {
      if (FailureKind.of(e) == FailureKind.LOST) {
        throw e;
      }
      StatementOutcome outcome = FailureKind.outcome(e);
      results.failed(replica, outcome, e);
      return outcome;
    }
  }

  ReplicaResults<OpenResult> results() {
    return results;
  }
}
