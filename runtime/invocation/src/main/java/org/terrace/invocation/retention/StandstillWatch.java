package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;

/**
 * Ends the transactions that a stopped replica left open, for the calls here that wait for their
 * locks. A call that takes long, and another replica that gives no sign of life, together are the
 * occasion; ended are those transactions of that replica alone that block another one and have
 * asked nothing of the database for a while. Whoever is ended wrongly is rolled back and may be
 * sent again. Thread-safe.
 */
final class StandstillWatch implements AutoCloseable {
  /** The time for which a transaction stands still before it is ended. */
  private static final Duration STANDSTILL = Duration.ofMillis(80);

  /** The time that a call takes before anybody else is asked for a sign of life. */
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private static final long PERIOD_MILLIS = 20;
  private static final int DOUBLINGS_MAX = 3;

  /** While no call says so, the kept connection is asked whether the database is there. */
  private static final Duration ASKED_AFTER = Duration.ofMillis(250);

  private static final int VALIDATION_SECONDS = 2;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final Peers peers;
  private final TimeSource time;
  private final Map<Object, Long> underWay = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final LongAdder ended = new LongAdder();
  private volatile long answeredNanos;

  /** These are of the thread of the watch alone. */
  private @Nullable Connection reserved;

  private int looksInVain;
  private long nextLookNanos;
  private boolean failureTold;

  /** A watch that runs until closed. */
  StandstillWatch(DataSource dataSource, Dialect dialect, Peers peers, TimeSource time) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.peers = peers;
    this.time = time;
    this.nextLookNanos = time.elapsedNanos();
    this.answeredNanos = nextLookNanos;
    Thread.ofVirtual().name("terrace-standstill").start(this::run);
  }

  /** A transaction begins. */
  void begin(Object transaction) {
    underWay.put(transaction, time.elapsedNanos());
  }

  /** A transaction is over. */
  void end(Object transaction) {
    underWay.remove(transaction);
  }

  /** The database has answered. */
  void answered() {
    answeredNanos = time.elapsedNanos();
  }

  /** The time at which the database last answered a call, or the kept connection. */
  long answeredNanos() {
    return answeredNanos;
  }

  /** Transactions ended so far. */
  long ended() {
    return ended.sum();
  }

  private void run() {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          look();
        } catch (RuntimeException | Error e) {
          failed(e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      release();
    }
  }

  private void look() {
    reserve();
    if (isOneLong() && time.elapsedNanos() - nextLookNanos >= 0) {
      List<SessionMark> silent = peers.silent().get().stream().map(SessionMark::of).toList();
      if (!silent.isEmpty()) {
        endStandstill(silent);
      }
    }
  }

  /** A pool, a driver or a check may throw anything; the next look is soon. */
  private void failed(Throwable unexpected) {
    if (!failureTold) {
      failureTold = true;
      System.err.println("the watch over transactions that stand still failed, and goes on:");
      unexpected.printStackTrace();
    }
    release();
  }

  /**
   * Keeps a connection while several calls are under way: when they all wait for a stopped replica,
   * they may have taken all others of the pool. One call alone leaves a small pool its connections.
   * Calls that take all of a pool within one period leave none: the limit of idle time ends them.
   */
  private void reserve() {
    try {
      if (underWay.size() > 1 && reserved == null) {
        reserved = dataSource.getConnection();
        reserved.setAutoCommit(true);
      }
      if (reserved != null && time.elapsedNanos() - answeredNanos > ASKED_AFTER.toNanos()) {
        if (!reserved.isValid(VALIDATION_SECONDS)) {
          throw new SQLException("the database does not answer");
        }
        answered();
      }
    } catch (SQLException unavailable) {
      release();
    }
    if (underWay.size() <= 1) {
      release();
    }
  }

  private void release() {
    Connection held = reserved;
    reserved = null;
    if (held != null) {
      try (held) {
        held.setAutoCommit(false);
      } catch (SQLException broken) {
        // The pool sees for itself whether a connection is of use.
        reserved = null;
      }
    }
  }

  private boolean isOneLong() {
    long now = time.elapsedNanos();
    for (long since : underWay.values()) {
      if (now - since > PATIENCE.toNanos()) {
        return true;
      }
    }
    return false;
  }

  private void endStandstill(List<SessionMark> silent) {
    try {
      Connection connection = reserved;
      if (connection == null) {
        connection = dataSource.getConnection();
        reserved = connection;
        connection.setAutoCommit(true);
      }
      int endedNow = dialect.endStandstill(connection, STANDSTILL, silent);
      ended.add(endedNow);
      looksInVain = endedNow > 0 ? 0 : looksInVain + 1;
      int doublings = Math.clamp(looksInVain - 1L, 0, DOUBLINGS_MAX);
      nextLookNanos = time.elapsedNanos() + (dialect.lookPause().toNanos() << doublings);
    } catch (SQLException brokenOrNotAllowed) {
      // Tried anew with another connection; in the end the limit of idle time ends them.
      release();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
