package org.terrace.invocation.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One client at a replica, with its own database connection where there is no pool. Thread-safe.
 */
final class ClientSession {
  /** A receiver of a connection that was just opened; null where there is none. */
  @FunctionalInterface
  interface OnFresh {
    void accept(@Nullable Connection fresh) throws SQLException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection own;

  /** Makes the session usable; opens its connection if it is to have one and has none. */
  void use(@Nullable DataSource source, OnFresh onFresh) throws SQLException {
    lock.lock();
    try {
      onFresh.accept(source == null ? null : connection(source));
    } finally {
      lock.unlock();
    }
  }

  /** The session's connection, this thread's alone until {@link #release}. */
  Connection lease(DataSource source) throws SQLException {
    lock.lock();
    try {
      return connection(source);
    } catch (SQLException | RuntimeException e) {
      lock.unlock();
      throw e;
    }
  }

  /** Ends a lease; a connection that failed is not kept. */
  void release() throws SQLException {
    try {
      Connection leased = own;
      if (leased != null && !leased.isClosed() && !leased.getAutoCommit()) {
        leased.rollback();
        leased.setAutoCommit(true);
      }
    } finally {
      lock.unlock();
    }
  }

  private Connection connection(DataSource source) throws SQLException {
    Connection known = own;
    if (known == null || known.isClosed()) {
      known = source.getConnection();
      own = known;
    }
    return known;
  }

  void close() {
    lock.lock();
    try {
      if (own != null) {
        own.close();
      }
    } catch (SQLException alreadyGone) {
      // The database ends a connection whose client is gone by itself.
    } finally {
      lock.unlock();
    }
  }
}
