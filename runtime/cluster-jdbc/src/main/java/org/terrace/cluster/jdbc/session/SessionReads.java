package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.cluster.server.dialect.FetchPlace;
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

  /** The place where pages of its results are fetched; null: none has any. */
  private @Nullable ReplicaBranch pages;

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
   * or it was cut or is broken, so that the transaction begins anew wherever it likes.
   */
  @Nullable Connection handOn() {
    Connection handed = reading;
    reading = null;
    pages = null;
    if (handed == null) {
      return null;
    }
    cluster.balancer().done(home);
    if (cluster.replica(home).cuts() != cutsAtHome || isClosed(handed)) {
      ReplicaBranch.release(cluster.replica(home), handed, settings);
      return null;
    }
    return handed;
  }

  /** Whether a connection of a pool is closed, or the real one is. */
  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed() || connection.unwrap(Connection.class).isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Reads within the transaction, if there is one. */
  OpenResult read(StatementRequest request, RunningStatements running) throws SQLException {
    return isOpen() ? inTransaction(request, running) : anywhere(request, running);
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
          if (result.pageRows() > 0) {
            result.fetchedAt(cluster.branch(replica, settings, null));
          }
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
        if (result.pageRows() > 0) {
          pages = pages == null ? cluster.branch(home, settings, null) : pages;
          result.fetchedAt(pages);
        }
        seen.read(home);
        return result;
      } catch (SQLException e) {
        if (FailureKind.of(e) != FailureKind.LOST) {
          throw e;
        }
        reading = null;
        pages = null;
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

  /** Ends the transaction, behind a page that is still being fetched. */
  void end(boolean commit) {
    Connection connection = reading;
    FetchPlace place = pages == null ? FetchPlace.CALLER : pages;
    int at = home;
    reading = null;
    pages = null;
    if (connection != null) {
      try {
        place.end(() -> end(connection, at, commit));
      } catch (SQLException e) {
        // It has read only: there is nothing to lose.
      }
    }
  }

  private boolean end(Connection connection, int at, boolean commit) throws SQLException {
    try {
      if (commit) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return commit;
    } finally {
      cluster.balancer().done(at);
      ReplicaBranch.release(cluster.replica(at), connection, settings);
    }
  }
}
