package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Writers through controllers, and what each was told of each of its rows. */
final class ToldWriters {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int WRITERS = 4;

  private enum Told {
    COMMITTED,
    UNDONE,
    UNKNOWN
  }

  private final Map<Integer, Told> told = new ConcurrentSkipListMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> writers = new ArrayList<>();

  private ToldWriters() {}

  /** Writers of a table that they make, at controllers such as {@code host:port,host:port}. */
  static ToldWriters start(String controllers) throws SQLException {
    String url = "jdbc:terrace:controller://%s/shop?connectMillis=30000".formatted(controllers);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("CREATE TABLE kept (id int PRIMARY KEY)");
    }
    ToldWriters all = new ToldWriters();
    for (int i = 0; i < WRITERS; i++) {
      boolean alone = i % 2 == 0;
      all.writers.add(Thread.startVirtualThread(() -> all.writeUntilOver(url, alone)));
    }
    return all;
  }

  private void writeUntilOver(String url, boolean alone) {
    while (!over.get()) {
      try (Connection connection = DriverManager.getConnection(url)) {
        connection.setAutoCommit(alone);
        while (!over.get()) {
          int id = numbers.incrementAndGet();
          Told outcome = write(connection, id, alone);
          told.put(id, outcome);
          if (outcome == Told.COMMITTED) {
            acknowledged.incrementAndGet();
          } else {
            break;
          }
        }
      } catch (SQLException e) {
        // No controller serves now.
      }
    }
  }

  private static Told write(Connection connection, int id, boolean alone) {
    boolean committing = alone;
    try (PreparedStatement statement = connection.prepareStatement("INSERT INTO kept VALUES (?)")) {
      statement.setInt(1, id);
      statement.executeUpdate();
      if (!alone) {
        committing = true;
        connection.commit();
      }
      return Told.COMMITTED;
    } catch (LostAnswerException e) {
      return Told.COMMITTED;
    } catch (SQLException e) {
      return committing && "08007".equals(e.getSQLState()) ? Told.UNKNOWN : Told.UNDONE;
    }
  }

  /** Waits until so many more writes are acknowledged. */
  void awaitWrites(int many) {
    int wanted = acknowledged.get() + many;
    assertThat(Await.until(LONGEST, () -> acknowledged.get() >= wanted)).isTrue();
  }

  void end() throws InterruptedException {
    over.set(true);
    for (Thread writer : writers) {
      writer.join();
    }
  }

  /** Holds what the clients were told against what each of two servers has. */
  void judge(RealReplicas replicas) throws SQLException {
    assertThat(told).doesNotContainValue(Told.UNKNOWN).containsValue(Told.UNDONE);
    List<Integer> committed =
        told.entrySet().stream()
            .filter(one -> one.getValue() == Told.COMMITTED)
            .map(Map.Entry::getKey)
            .toList();
    assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1))
        .allSatisfy(
            rows -> assertThat(rows.lines().map(Integer::valueOf).toList()).isEqualTo(committed));
  }
}
