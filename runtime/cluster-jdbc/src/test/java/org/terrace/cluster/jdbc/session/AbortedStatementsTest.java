package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.core.ClusterCore;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.testing.Await;

/** Connections that another thread closes or aborts while their client is at a statement. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class AbortedStatementsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** The way in which another thread ends a connection. */
  private interface End {
    void of(Connection connection) throws SQLException;
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void areGivenUpAtTheServersAndKeepNoLock(String engine) throws Exception {
    boolean isMariaDb = engine.equals("mariadb");
    String sleep = isMariaDb ? "sleep(3600)" : "pg_sleep(3600)::text";
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    String options = RealReplicas.patient("?functions=pg_sleep,sleep&lockWaitMillis=3600000");
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        DatabaseCluster cluster =
            DatabaseCluster.open(ClusterUrl.parse(replicas.url(options), properties));
        Connection other = new ClusterConnection(cluster, () -> {})) {
      execute(other, "CREATE TABLE kept (id INT PRIMARY KEY, name INT)");
      execute(other, "INSERT INTO kept VALUES (1, 0)");
      String write = "UPDATE kept SET name = 1 WHERE id = 1 AND " + sleep + " IS NULL";
      String read = "SELECT " + sleep;
      End[] ends = {connection -> connection.abort(Runnable::run), Connection::close};
      for (End end : ends) {
        for (boolean autoCommit : new boolean[] {true, false}) {
          end(cluster, end, autoCommit, write, () -> replicas.asleep() > 0);
          givenUp(cluster, replicas);
          end(cluster, end, autoCommit, read, () -> replicas.asleep() > 0);
          givenUp(cluster, replicas);
          other.setAutoCommit(false);
          execute(other, "UPDATE kept SET name = name + 1 WHERE id = 1");
          String waits = "UPDATE kept SET name = 9 WHERE id = 1";
          end(cluster, end, autoCommit, waits, () -> cluster.ask(ClusterCore::lockWaiters) == 1);
          other.commit();
          other.setAutoCommit(true);
          givenUp(cluster, replicas);
        }
      }
      assertThat(cluster.losses()).isEmpty();
      assertThat(replicas.everywhere("SELECT name FROM kept", 0, 1)).containsOnly("4\n");
    }
  }

  private static void end(
      DatabaseCluster cluster, End end, boolean autoCommit, String sql, BooleanSupplier isUnderWay)
      throws SQLException {
    Connection connection = new ClusterConnection(cluster, () -> {});
    connection.setAutoCommit(autoCommit);
    CompletableFuture<SQLException> told = FailingDeed.begin(() -> execute(connection, sql));
    assertThat(Await.until(SOON, () -> told.isDone() || isUnderWay.getAsBoolean())).isTrue();
    assertThat(told).isNotDone();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        end.of(connection);
        ended.complete(true);
      } catch (SQLException e) {
        ended.completeExceptionally(e);
      }
    });

    assertThat(ended).as("the end of: " + sql).succeedsWithin(SOON);
    assertThat(told).succeedsWithin(SOON);
    assertThat(told.join().getSQLState()).isIn("08003", "57014", "70100");
  }

  private static void givenUp(DatabaseCluster cluster, RealReplicas replicas) {
    assertThat(
            Await.until(
                SOON, () -> replicas.asleep() == 0 && cluster.ask(ClusterCore::lockUsers) == 0))
        .as("its statement and its locks are gone")
        .isTrue();
    assertThat(cluster.losses()).isEmpty();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
