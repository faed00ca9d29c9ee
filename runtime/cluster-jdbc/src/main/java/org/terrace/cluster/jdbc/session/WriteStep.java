package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.statement.OpenResult;
import org.terrace.cluster.jdbc.statement.RunningStatements;
import org.terrace.cluster.jdbc.statement.StatementRequest;
import org.terrace.cluster.server.dialect.FailureKind;

/** One statement at all replicas, and what it left at each. Thread-safe. */
final class WriteStep {
  private final StatementRequest request;
  private final RunningStatements ofClient;
  private final RunningStatements running = new RunningStatements();
  private final ReplicaResults<OpenResult> results = new ReplicaResults<>(OpenResult::close);

  WriteStep(StatementRequest request, RunningStatements running) {
    this.request = request;
    this.ofClient = running;
    ofClient.begin(this.running);
  }

  /** The client has its answer: what it cancels from now on is not this, where it still runs. */
  void answered() {
    ofClient.end(running);
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
