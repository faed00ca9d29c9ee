package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.terrace.core.TimeSource;

/** A bank, its clerks, and the counts of their transfers and readings. */
final class Bank {
  static final int ACCOUNTS = 20;
  static final long EACH = 100;
  static final int WRITERS = 3;
  static final Duration PAUSE = Duration.ofMillis(100);

  final AtomicInteger moved = new AtomicInteger();
  final AtomicInteger inDoubt = new AtomicInteger();
  final AtomicInteger reads = new AtomicInteger();
  final AtomicInteger readsInBetween = new AtomicInteger();
  final AtomicBoolean open = new AtomicBoolean(true);
  final AtomicLong lastMovedNanos = new AtomicLong();
  final List<Thread> threads = new CopyOnWriteArrayList<>();

  void move(NdbLikeServers servers, int writer, SplittableRandom random) {
    while (open.get()) {
      try (Connection connection = servers.sqlNode(writer % 2 + 1)) {
        connection.setAutoCommit(false);
        connection.setNetworkTimeout(Runnable::run, 20_000);
        while (open.get()) {
          moveOnce(connection, random);
        }
      } catch (SQLException e) {
        // The next connection is tried; what was under way is rolled back, or in doubt.
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void moveOnce(Connection connection, SplittableRandom random) throws SQLException {
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    int lower = Math.min(from, to);
    // In one order, so that no two wait for each other.
    change(connection, lower, lower == from ? -1 : 1);
    change(connection, from + to - lower, lower == from ? 1 : -1);
    inDoubt.incrementAndGet();
    connection.commit();
    inDoubt.decrementAndGet();
    moved.incrementAndGet();
    lastMovedNanos.set(TimeSource.system().elapsedNanos());
  }

  private static void change(Connection connection, int id, int by) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE accounts SET amount = amount + ? WHERE id = ?")) {
      statement.setInt(1, by);
      statement.setInt(2, id + 1);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  void read(NdbLikeServers servers) {
    while (open.get()) {
      try (Connection connection = servers.sqlNode(2)) {
        while (open.get()) {
          readsInBetween.addAndGet(total(connection) == ACCOUNTS * EACH ? 0 : 1);
          reads.incrementAndGet();
        }
      } catch (SQLException e) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  void begin(NdbLikeServers servers, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int each = 0; each < WRITERS; each++) {
      int writer = each;
      SplittableRandom own = random.split();
      threads.add(Thread.ofVirtual().start(() -> move(servers, writer, own)));
    }
    threads.add(Thread.ofVirtual().start(() -> read(servers)));
  }

  void end() throws InterruptedException {
    open.set(false);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The money in all accounts. */
  static long total(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT sum(amount) FROM accounts")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
