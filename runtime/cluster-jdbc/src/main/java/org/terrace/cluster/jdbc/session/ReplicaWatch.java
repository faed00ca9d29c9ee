package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.cluster.jdbc.replica.ReplicaServer;

/**
 * The probes of all replicas: a query again and again, on a connection of its own. A replica that
 * leaves one unanswered for too long, or whose connection breaks, is taken out.
 */
final class ReplicaWatch {
  private static final Duration BETWEEN = Duration.ofMillis(50);

  private final DatabaseCluster cluster;
  private final List<ReplicaServer> replicas;
  private final Duration hang;
  private final CountDownLatch closed = new CountDownLatch(1);

  ReplicaWatch(DatabaseCluster cluster, List<ReplicaServer> replicas, Duration hang) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.hang = hang;
  }

  void start() {
    for (ReplicaServer replica : replicas) {
      Thread.ofVirtual().name("terrace-watch-" + replica.name()).start(() -> watch(replica));
    }
  }

  void close() {
    closed.countDown();
  }

  private void watch(ReplicaServer replica) {
    try (Connection connection = replica.connect()) {
      connection.setNetworkTimeout(Runnable::run, (int) hang.toMillis());
      while (!closed.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SELECT 1");
        }
      }
    } catch (SQLException e) {
      if (closed.getCount() > 0) {
        cluster.failed(replica.number(), e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
