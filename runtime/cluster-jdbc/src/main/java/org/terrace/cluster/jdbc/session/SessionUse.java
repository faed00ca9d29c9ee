package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import org.terrace.cluster.core.SqlStates;

/**
 * The use of a session by the thread of its client, and its end, which another thread may bring
 * about: what is under way is given up then, and whoever was at it ends the rest. Thread-safe.
 */
final class SessionUse {
  /** Something that a client does with its session. */
  @FunctionalInterface
  interface Deed<T> {
    T run() throws SQLException;
  }

  /** The same, without a result. */
  @FunctionalInterface
  interface Step {
    void run() throws SQLException;
  }

  private final ClusterSession session;
  private int users;
  private boolean ended;
  private volatile boolean over;

  SessionUse(DatabaseCluster cluster) {
    this.session = new ClusterSession(cluster, this);
  }

  ClusterSession session() {
    return session;
  }

  /** Refuses what is begun, or gone on with, in a session that is to end. */
  void check() throws SQLException {
    if (over) {
      throw new SQLException("The connection was closed meanwhile.", SqlStates.CLOSED);
    }
  }

  void run(Step step) throws SQLException {
    boolean _ =
        during(() -> {
          step.run();
          return true;
        });
  }

  <T> T during(Deed<T> deed) throws SQLException {
    begin();
    try {
      return deed.run();
    } finally {
      if (isLastToLeave()) {
        closeQuietly();
      }
    }
  }

  private synchronized void begin() throws SQLException {
    check();
    users++;
  }

  private synchronized boolean isLastToLeave() {
    users--;
    return isToBeEnded();
  }

  /** Whether it is to be ended now, which is said once. */
  private boolean isToBeEnded() {
    boolean now = over && users == 0 && !ended;
    ended |= now;
    return now;
  }

  private synchronized boolean isOverAndUnused() {
    over = true;
    return isToBeEnded();
  }

  /** Ends the session, and waits for that unless another thread is at something. */
  void close() throws SQLException {
    if (isOverAndUnused()) {
      session.close();
    } else {
      session.giveUp();
    }
  }

  /** Ends the session, and waits for nothing. */
  void abort() {
    boolean unused = isOverAndUnused();
    session.giveUp();
    if (unused) {
      Thread.startVirtualThread(this::closeQuietly);
    }
  }

  private void closeQuietly() {
    try {
      session.close();
    } catch (SQLException e) {
      // Nobody is left whom it would concern.
    }
  }
}
