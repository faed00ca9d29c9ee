package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.jdbc.lease.ClusterLease;
import org.terrace.cluster.jdbc.recovery.LoggedStatement;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.server.memory.FencedException;

/** One statement at all replicas, and what it left at each. Thread-safe. */
final class WriteStep {
  private final StatementRequest request;
  private final @Nullable ClusterLease lease;
  private final RunningStatements running = new RunningStatements();
  private final ReplicaResults<OpenResult> results = new ReplicaResults<>(OpenResult::close);

  /**
   * A step that nobody has taken yet.
   *
   * @param lease what fences a definition; null: it is none
   */
  WriteStep(StatementRequest request, @Nullable ClusterLease lease) {
    this.request = request;
    this.lease = lease;
  }

  /**
   * The statement with the outcome that counts.
   *
   * @param active the replicas that have it, those first that have been active for longest
   */
  LoggedStatement logged(List<Integer> active) {
    return new LoggedStatement(request, lease != null, results.outcome(active));
  }

  /** Whether it stays where it is done, whatever becomes of its transaction. */
  boolean lasts() {
    return lease != null && lease.fence().dialect().definitionsCommit();
  }

  /**
   * Asks the servers to end it, on another thread; none begins with it, unless another may have
   * done what stays there.
   */
  void giveUp() {
    if (lasts()) {
      running.answered();
    } else {
      running.leave();
    }
  }

  /**
   * Executes the statement at a replica; only the loss of the replica is thrown, or its other
   * owner.
   */
  StatementOutcome run(int replica, Connection connection) throws SQLException {
    try {
      ClusterLease fencing = lease;
      OpenResult result =
          fencing == null
              ? request.write(connection, running)
              : fencing
                  .fence()
                  .define(
                      connection,
                      fencing.epochAt(replica),
                      request.sql(),
                      () -> request.write(connection, running));
      StatementOutcome outcome = StatementOutcome.done(result.fingerprint());
      results.done(replica, outcome, result);
      return outcome;
    } catch (FencedException e) {
      throw e;
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
