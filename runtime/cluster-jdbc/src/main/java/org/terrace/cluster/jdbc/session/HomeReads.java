package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.core.WriteStrategy;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.server.dialect.FailedTransaction;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;

/**
 * The reads of a transaction that writes, at the one replica whose rows its client sees, which has
 * done all of it. For one thread at a time.
 */
final class HomeReads {
  private final DatabaseCluster cluster;
  private final ClientTransaction transaction;
  private final SessionFreshness seen;
  private final TransactionBranches branches;
  private int home;

  HomeReads(
      DatabaseCluster cluster,
      ClientTransaction transaction,
      SessionFreshness seen,
      TransactionBranches branches,
      int home) {
    this.cluster = cluster;
    this.transaction = transaction;
    this.seen = seen;
    this.branches = branches;
    this.home = home;
  }

  int home() {
    return home;
  }

  /** Reads from another replica, which has done a statement. */
  void readFrom(int replica) {
    home = replica;
  }

  /** Does something at the one replica. */
  <T> T read(TransactionBranches.BranchWork<T> work) throws SQLException {
    transaction.checkNotLeft();
    CompletableFuture<T> answer = branches.submit(home, connection -> here(connection, work));
    try {
      return Answers.await(answer);
    } catch (SQLException e) {
      transaction.leaveIfInterrupted(e);
      if (FailureKind.of(e) == FailureKind.LOST && branches.has(home)) {
        cluster.failed(home, e);
      }
      throw e;
    }
  }

  /** Leaves the transaction if the one server undoes it with a failure, as the others keep it. */
  private <T> T here(Connection connection, TransactionBranches.BranchWork<T> work)
      throws SQLException {
    try {
      return work.run(connection);
    } catch (SQLException e) {
      if (FailedTransaction.isUndoneBy(e, connection)) {
        transaction.leave();
      }
      throw e;
    }
  }

  /** Does something at the one replica, or at another when that is lost. */
  <T> T readAnywhere(TransactionBranches.BranchWork<T> work) throws SQLException {
    while (true) {
      try {
        return read(work);
      } catch (SQLException e) {
        if (FailureKind.of(e) != FailureKind.LOST || !moveHome()) {
          throw e;
        }
      }
    }
  }

  /** Reads at the one replica, or at another when that is lost. */
  OpenResult query(StatementRequest request, RunningStatements running) throws SQLException {
    while (true) {
      try {
        seen.await(home);
        OpenResult result = read(connection -> request.read(connection, running));
        branches.fetch(home, result);
        seen.read(home);
        return result;
      } catch (SQLException e) {
        if (FailureKind.of(e) == FailureKind.LOST && !waitsForAll()) {
          throw firstWasLost(e);
        }
        if (FailureKind.of(e) != FailureKind.LOST || !moveHome()) {
          throw e;
        }
      }
    }
  }

  /**
   * Does something at every replica that takes part; those that are lost meanwhile say nothing.
   *
   * @throws SQLException when the one is lost that has all that those before it did
   */
  <T> List<T> everywhere(TransactionBranches.BranchWork<T> work) throws SQLException {
    Map<Integer, CompletableFuture<T>> answers = new TreeMap<>();
    for (int replica : cluster.active()) {
      if (branches.has(replica)) {
        answers.put(replica, branches.submit(replica, work));
      }
    }
    List<T> said = new ArrayList<>();
    for (Map.Entry<Integer, CompletableFuture<T>> one : answers.entrySet()) {
      try {
        said.add(Answers.await(one.getValue()));
      } catch (SQLException e) {
        if (FailureKind.of(e) != FailureKind.LOST) {
          throw e;
        }
        if (branches.has(one.getKey())) {
          cluster.failed(one.getKey(), e);
        }
      }
    }
    if (!waitsForAll() && !cluster.active().contains(home)) {
      throw firstWasLost(null);
    }
    return said;
  }

  /** Whether every active replica has done each statement that was answered. */
  private boolean waitsForAll() {
    return cluster.configuration().strategy() == WriteStrategy.WAIT_ALL;
  }

  private static SQLException firstWasLost(@Nullable SQLException cause) {
    return new SQLException(
        "The replica that had done all of the transaction was lost: try it again.",
        SqlStates.SERIALIZATION_FAILURE,
        cause);
  }

  /** Moves to another replica after the one that the client reads from was lost. */
  private boolean moveHome() {
    for (int replica : cluster.active()) {
      if (branches.has(replica) && replica != home) {
        home = replica;
        return true;
      }
    }
    return false;
  }
}
