package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.core.TimeSource;

/**
 * The probes of all replicas: a query again and again, on a connection of its own. A replica that
 * leaves one unanswered for too long, or whose connection breaks, is taken out. Now and then the
 * ownership is renewed by the same way.
 */
final class ReplicaWatch {
  private static final Duration BETWEEN = Duration.ofMillis(50);

  private final DatabaseCluster cluster;
  private final List<ReplicaServer> replicas;
  private final Duration hang;
  private final Duration renewal;
  private final CountDownLatch closed = new CountDownLatch(1);

  ReplicaWatch(
      DatabaseCluster cluster, List<ReplicaServer> replicas, Duration hang, Duration lease) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.hang = hang;
    this.renewal = lease.dividedBy(3);
  }

  void start() {
    cluster.active().forEach(this::start);
  }

  void start(int number) {
    ReplicaServer replica = replicas.get(number);
    Thread.ofVirtual().name("terrace-watch-" + replica.name()).start(() -> watch(replica));
  }

  void close() {
    closed.countDown();
  }

  private void watch(ReplicaServer replica) {
    try (Connection connection = replica.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setNetworkTimeout(Runnable::run, (int) hang.toMillis());
      long renewedNanos = TimeSource.system().elapsedNanos();
      while (!closed.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
        if (TimeSource.system().elapsedNanos() - renewedNanos > renewal.toNanos()) {
          renewedNanos = TimeSource.system().elapsedNanos();
          cluster.recovery().renew(replica.number(), connection);
        }
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
