package org.terrace.cluster.jdbc.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** Connections to a server that accepts no more, each with a query that runs. */
@Tag("real-processes")
class HangingServerCutTest {
  private static final int QUERIES = 5;
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** MariaDB's driver tries to tell the server first: once for all of them, not once for each. */
  @Test
  void allAreCutWithinOneTimeOut() throws Exception {
    try (RealReplicas servers = RealReplicas.start("mariadb", 1)) {
      Properties properties = new Properties();
      properties.setProperty("user", "shop");
      ReplicaServer server =
          new ReplicaServer(
              0, ClusterUrl.parse(servers.url("?connectMillis=" + CONNECT.toMillis()), properties));
      CountDownLatch waiting = new CountDownLatch(QUERIES);
      for (int i = 0; i < QUERIES; i++) {
        Connection connection = server.borrow();
        Thread.ofVirtual().start(() -> sleepThere(connection, waiting));
      }
      assertThat(Await.until(LONGEST, () -> running(servers) == QUERIES)).isTrue();
      servers.suspend(0);
      try {
        long beginNanos = TimeSource.system().elapsedNanos();
        server.cut();
        long tookNanos = TimeSource.system().elapsedNanos() - beginNanos;

        assertThat(Duration.ofNanos(tookNanos)).isLessThan(CONNECT.multipliedBy(QUERIES - 2));
        assertThat(Await.until(LONGEST, () -> waiting.getCount() == 0)).isTrue();
      } finally {
        servers.resume(0);
      }
    }
  }

  private static void sleepThere(Connection connection, CountDownLatch waiting) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT SLEEP(600)");
    } catch (SQLException e) {
      waiting.countDown();
    }
  }

  private static int running(RealReplicas servers) {
    try (Connection connection = servers.direct(0);
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep'")) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
