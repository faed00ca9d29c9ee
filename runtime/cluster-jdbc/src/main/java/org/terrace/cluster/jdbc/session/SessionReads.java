package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;

/**
 * The reads of one session while it writes nothing: each at the best replica, or all of a
 * transaction at one. A read whose replica is lost is done at another. Confined to one thread.
 */
final class SessionReads {
  private final DatabaseCluster cluster;
  private final List<String> settings;
  private final SessionFreshness seen;
  private int isolation = Connection.TRANSACTION_READ_COMMITTED;
  private @Nullable Connection reading;
  private int home;

  /** The number of times that its replica's connections were cut before the transaction began. */
  private long cutsAtHome;

  SessionReads(DatabaseCluster cluster, List<String> settings, SessionFreshness seen) {
    this.cluster = cluster;
    this.settings = settings;
    this.seen = seen;
  }

  int isolation() {
    return isolation;
  }

  void setIsolation(int level) {
    isolation = level;
  }

  /** Refuses to let a transaction write that reads a snapshot of its own. */
  void checkMayWrite() throws SQLException {
    if (isolation > Connection.TRANSACTION_READ_COMMITTED) {
      throw new SQLFeatureNotSupportedException(
          "A transaction that writes cannot have a snapshot of its own: replicas would take it at"
              + " different moments. Use TRANSACTION_READ_COMMITTED and lock what you read with"
              + " SELECT ... FOR UPDATE.",
          SqlStates.NOT_SUPPORTED);
    }
  }

  /** Whether a transaction reads. */
  boolean isOpen() {
    return reading != null;
  }

  /** The replica at which a transaction reads, if one does. */
  int home() {
    return home;
  }

  /**
   * Hands the transaction's connection on to a transaction that writes, too; null if there is none,
   * or it was cut, so that the transaction begins anew wherever it likes.
   */
  @Nullable Connection handOn() {
    Connection handed = reading;
    reading = null;
    if (handed == null) {
      return null;
    }
    cluster.balancer().done(home);
    if (cluster.replica(home).cuts() != cutsAtHome) {
      ReplicaBranch.release(cluster.replica(home), handed, settings);
      return null;
    }
    return handed;
  }

  /** Reads outside of transactions. */
  OpenResult anywhere(StatementRequest request, RunningStatements running) throws SQLException {
    while (true) {
      int replica = cluster.chooseForRead(seen.token());
      long cuts = cluster.replica(replica).cuts();
      try {
        Connection connection = cluster.replica(replica).borrow();
        try {
          ReplicaBranch.apply(connection, settings);
          OpenResult result = request.read(connection, running);
          seen.read(replica);
          result.onClose(() -> {
            cluster.balancer().done(replica);
            ReplicaBranch.release(cluster.replica(replica), connection, settings);
          });
          return result;
        } catch (SQLException | RuntimeException e) {
          ReplicaBranch.release(cluster.replica(replica), connection, settings);
          throw e;
        }
      } catch (SQLException e) {
        cluster.balancer().done(replica);
        if (FailureKind.of(e) != FailureKind.LOST) {
          throw e;
        }
        cluster.watch().failed(replica, cuts, e);
      }
    }
  }

  /** Reads within a transaction. */
  OpenResult inTransaction(StatementRequest request, RunningStatements running)
      throws SQLException {
    while (true) {
      Connection connection = reading == null ? begin() : reading;
      try {
        seen.await(home);
        OpenResult result = request.read(connection, running);
        seen.read(home);
        return result;
      } catch (SQLException e) {
        if (FailureKind.of(e) != FailureKind.LOST) {
          throw e;
        }
        reading = null;
        cluster.balancer().done(home);
        cluster.replica(home).giveBack(connection);
        cluster.watch().failed(home, cutsAtHome, e);
        if (isolation > Connection.TRANSACTION_READ_COMMITTED) {
          throw new SQLException(
              "The replica that held the transaction's snapshot was lost: try it again.",
              SqlStates.SERIALIZATION_FAILURE,
              e);
        }
      }
    }
  }

  private Connection begin() throws SQLException {
    while (true) {
      int replica = cluster.chooseForRead(seen.token());
      long cuts = cluster.replica(replica).cuts();
      try {
        Connection begun = ReplicaBranch.begin(cluster.replica(replica), settings);
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
          begun.setTransactionIsolation(isolation);
        }
        home = replica;
        cutsAtHome = cuts;
        reading = begun;
        return begun;
      } catch (SQLException e) {
        cluster.balancer().done(replica);
        if (FailureKind.of(e) != FailureKind.LOST) {
          throw e;
        }
        cluster.watch().failed(replica, cuts, e);
      }
    }
  }

  /** Ends the transaction. */
  void end(boolean commit) {
    Connection connection = reading;
    reading = null;
    if (connection != null) {
      try {
        if (commit) {
          connection.commit();
        } else {
          connection.rollback();
        }
      } catch (SQLException e) {
        // It has read only: there is nothing to lose.
      } finally {
        cluster.balancer().done(home);
        ReplicaBranch.release(cluster.replica(home), connection, settings);
      }
    }
  }
}
