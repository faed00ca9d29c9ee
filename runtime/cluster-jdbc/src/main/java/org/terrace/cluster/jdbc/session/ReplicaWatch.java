package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.server.dialect.FailureKind;
import org.terrace.core.TimeSource;

/**
 * The probes of all replicas: a query again and again, on a connection of its own. A replica that
 * leaves one unanswered for too long, or whose connection breaks, is taken out; one that is about
 * to return is cut off, so that nobody waits for it. Now and then the ownership is renewed by the
 * same way, and those connections are cut whose own ways have fallen silent.
 */
final class ReplicaWatch {
  private static final Duration BETWEEN = Duration.ofMillis(50);

  /** The watch of a replica that is about to return. */
  interface Guard extends AutoCloseable {
    @Override
    void close();
  }

  /** The way to the connection of the probes. */
  private interface Way {
    Connection open() throws SQLException;
  }

  /** Something to do at a replica before each probe. */
  private interface Task {
    void run(Connection connection) throws SQLException;
  }

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

  /**
   * Watches a replica that is about to return, until the end of that. It is connected when this
   * returns: what falls silent from then on has the watch fall silent as well, and not find its way
   * once that is open again.
   */
  Guard guard(ReplicaServer replica) throws SQLException {
    CountDownLatch over = new CountDownLatch(1);
    Connection connection = replica.connect();
    Thread.ofVirtual()
        .name("terrace-guard-" + replica.name())
        .start(() -> probe(() -> connection, over, replica::cutSilent, _ -> replica.cut()));
    return over::countDown;
  }

  /**
   * Takes a replica out for the failure of a connection, unless that was cut since: then the
   * replica was out already, and may be back.
   *
   * @param cuts the number of the replica's cuts before there was the connection
   * @throws SQLException if this thread is interrupted, which closes the socket that it reads
   */
  void failed(int replica, long cuts, SQLException failure) throws SQLException {
    if (Thread.currentThread().isInterrupted()) {
      throw Answers.interrupted(failure);
    }
    // It comes back in a step, and has been cut before.
    cluster
        .steps()
        .between(() -> {
          boolean counts = replicas.get(replica).cuts() == cuts;
          if (counts) {
            cluster.failed(replica, failure);
          }
          return counts;
        });
  }

  private void watch(ReplicaServer replica) {
    long[] renewedNanos = {TimeSource.system().elapsedNanos()};
    probe(
        replica::connect,
        closed,
        connection -> {
          if (TimeSource.system().elapsedNanos() - renewedNanos[0] > renewal.toNanos()) {
            renewedNanos[0] = TimeSource.system().elapsedNanos();
            cluster.recovery().renew(replica.number(), connection);
          }
          replica.cutSilent(connection);
        },
        failure -> cluster.failed(replica.number(), failure));
  }

  private void probe(Way way, CountDownLatch end, Task between, Consumer<SQLException> lost) {
    try (Connection connection = way.open()) {
      probe(connection, end, between);
    } catch (SQLException e) {
      if (end.getCount() > 0) {
        lost.accept(e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void probe(Connection connection, CountDownLatch end, Task between)
      throws SQLException, InterruptedException {
    try {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setNetworkTimeout(Runnable::run, (int) hang.toMillis());
      while (!end.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
        between.run(connection);
        try (Statement statement = connection.createStatement()) {
          statement.execute("SELECT 1");
        }
      }
    } catch (SQLException e) {
      throw FailureKind.isSilence(e) ? silence(e) : e;
    }
  }

  private SQLException silence(SQLException failure) {
    return new SQLException(
        "it left a probe unanswered for %d ms (hangMillis)".formatted(hang.toMillis()),
        SqlStates.CONNECTION_FAILURE,
        failure);
  }
}
