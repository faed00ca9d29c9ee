package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.core.TimeSource;

/** Transactions that end at a server that accepts nothing more, before its connections are cut. */
@Tag("real-processes")
class HangingServerLeaveTest {
  private static final int TRANSACTIONS = 5;
  private static final Duration CONNECT = Duration.ofSeconds(2);

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void theirConnectionsAreCutWithinOneTimeOut(String engine) throws Exception {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    Executor executor = task -> threads.add(Thread.startVirtualThread(task));
    try (RealReplicas servers = RealReplicas.start(engine, 1)) {
      try (Connection direct = servers.direct(0);
          Statement statement = direct.createStatement()) {
        statement.execute("CREATE TABLE kept (id INT PRIMARY KEY)");
      }
      Properties properties = new Properties();
      properties.setProperty("user", "shop");
      ReplicaServer server =
          new ReplicaServer(
              0, ClusterUrl.parse(servers.url("?connectMillis=" + CONNECT.toMillis()), properties));
      List<ReplicaBranch> branches = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(TRANSACTIONS);
      for (int i = 0; i < TRANSACTIONS; i++) {
        ReplicaBranch branch = new ReplicaBranch(server, executor, List.of(), null);
        String write = "INSERT INTO kept VALUES (" + i + ")";
        branch.submit(() -> write(branch, write, begun));
        branches.add(branch);
      }
      begun.await();
      servers.suspend(0);
      try {
        branches.forEach(ReplicaBranch::leave);
        Between.until(() -> threads.stream().allMatch(HangingServerLeaveTest::isHeldUp));
        long beginNanos = TimeSource.system().elapsedNanos();
        server.cut();
        for (Thread thread : threads) {
          thread.join();
        }
        long tookNanos = TimeSource.system().elapsedNanos() - beginNanos;

        assertThat(Duration.ofNanos(tookNanos)).isLessThan(CONNECT.multipliedBy(TRANSACTIONS - 2));
      } finally {
        servers.resume(0);
      }
    }
  }

  private static boolean isHeldUp(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> true;
      case NEW, RUNNABLE -> false;
    };
  }

  private static void write(ReplicaBranch branch, String sql, CountDownLatch begun) {
    try (Statement statement = branch.open().createStatement()) {
      statement.execute(sql);
      begun.countDown();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
