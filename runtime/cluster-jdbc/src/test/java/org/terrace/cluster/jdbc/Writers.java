package org.terrace.cluster.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.testing.Await;

/** Clients that write one transaction after the other until they are stopped. */
final class Writers implements AutoCloseable {
  private static final int CLIENTS = 3;
  private static final Duration LONGEST = Duration.ofSeconds(40);

  private final ClusterDataSource source;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> failures = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();

  Writers(ClusterDataSource source) {
    this(source, 0);
  }

  /** Clients that write rows with numbers above one. */
  Writers(ClusterDataSource source, long above) {
    this.source = source;
    numbers.set(above);
    for (int i = 0; i < CLIENTS; i++) {
      threads.add(Thread.ofVirtual().start(this::write));
    }
  }

  private void write() {
    while (!stopped.get()) {
      long id = numbers.incrementAndGet();
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement();
            PreparedStatement insert =
                connection.prepareStatement("INSERT INTO entry (id, total) VALUES (?, ?)")) {
          statement.executeUpdate("UPDATE total SET amount = amount * 3 % 1000 + " + id);
          insert.setLong(1, id);
          insert.setLong(2, id * 7);
          insert.executeUpdate();
          connection.commit();
          acknowledged.add(id);
        }
      } catch (SQLException e) {
        if (!"40001".equals(e.getSQLState())) {
          failures.add(e.getSQLState() + ": " + e.getMessage());
        }
      }
    }
  }

  /** Waits until so many more were acknowledged. */
  void awaitMore(int more) throws InterruptedException {
    int wanted = acknowledged.size() + more;
    if (!Await.until(LONGEST, () -> acknowledged.size() >= wanted)) {
      throw new AssertionError("writes have stopped: " + failures);
    }
  }

  /** Stops them; none may have failed otherwise than by 40001. */
  void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("writes failed: " + failures);
    }
  }

  List<Long> acknowledged() {
    return List.copyOf(acknowledged);
  }

  @Override
  public void close() {
    stopped.set(true);
  }
}
