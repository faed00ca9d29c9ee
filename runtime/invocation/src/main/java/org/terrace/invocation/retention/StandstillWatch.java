package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.terrace.core.TimeSource;

/**
 * Ends the transactions that a stopped replica left open, for the calls here that wait for their
 * locks. A call that takes long, and another replica that gives no sign of life, together are the
 * occasion; ended are those transactions alone that block another one and have asked nothing of the
 * database for a while. Whoever is ended wrongly is rolled back and may be sent again. Thread-safe.
 */
final class StandstillWatch implements AutoCloseable {
  /** How long a call waits, and how long a transaction stands still, before it is ended. */
  static final Duration PATIENCE = Duration.ofMillis(100);

  private static final long PERIOD_MILLIS = 20;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final BooleanSupplier silentPeer;
  private final TimeSource time;
  private final Map<Object, Long> underWay = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final LongAdder ended = new LongAdder();

  /**
   * A watch that runs until closed.
   *
   * @param silentPeer whether another replica of the service gives no sign of life now; may take a
   *     while
   */
  StandstillWatch(
      DataSource dataSource, Dialect dialect, BooleanSupplier silentPeer, TimeSource time) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.silentPeer = silentPeer;
    this.time = time;
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

  /** Transactions ended so far. */
  long ended() {
    return ended.sum();
  }

  private void run() {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        if (isOneLong() && silentPeer.getAsBoolean()) {
          endStandstill();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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

  private void endStandstill() {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      try {
        ended.add(dialect.endStandstill(connection, PATIENCE));
      } finally {
        connection.setAutoCommit(false);
      }
    } catch (SQLException notAllowed) {
      // The limit of idle time ends them later.
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
