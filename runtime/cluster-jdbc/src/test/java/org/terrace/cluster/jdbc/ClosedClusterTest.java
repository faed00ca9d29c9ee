package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.cluster.jdbc.servers.MeddlingDriver;
import org.terrace.cluster.jdbc.servers.MeddlingDriver.Held;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Connections of clients that use a cluster while it is closed, and later. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class ClosedClusterTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void nothingIsOpenedAgain() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 1)) {
      ClusterDataSource source = replicas.open("");
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      Connection connection = source.getConnection();
      Statement statement = connection.createStatement();
      source.close();

      assertThatThrownBy(() -> statement.executeQuery("SELECT 1")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO kept VALUES (1)"))
          .isInstanceOf(SQLException.class);
      assertThat(Await.until(SOON, () -> !hasPool(replicas))).isTrue();
      assertThat(replicas.everywhere("SELECT count(*) FROM kept", 0)).containsExactly("0\n");
    }
  }

  private static boolean hasPool(RealReplicas replicas) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("terrace-pool-" + replicas.place(0)));
  }

  @Test
  void commitUnderWayIsAnswered() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any")) {
      driver.watch();
      ClusterDataSource source = replicas.open("?hangMillis=3000");
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      Connection connection = source.getConnection();
      connection.setAutoCommit(false);
      connection.createStatement().executeUpdate("INSERT INTO kept VALUES (1)");
      List<Held> held =
          List.of(driver.holdCommit(replicas.place(0)), driver.holdCommit(replicas.place(1)));
      CompletableFuture<SQLException> commit = FailingDeed.begin(connection::commit);
      assertThat(Await.until(SOON, () -> held.stream().allMatch(Held::isReached))).isTrue();
      source.close();
      for (Held one : held) {
        one.releaseAndAwaitEnd();
      }

      assertThat(commit).succeedsWithin(SOON);
      assertThat(commit.join().getSQLState()).isEqualTo("08007");
    }
  }

  @Test
  void waitForALockIsEnded() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 1)) {
      ClusterDataSource source = replicas.open("?lockWaitMillis=3600000");
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      Connection holder = source.getConnection();
      holder.setAutoCommit(false);
      holder.createStatement().executeUpdate("INSERT INTO kept VALUES (1)");
      CompletableFuture<SQLException> wait =
          FailingDeed.begin(() -> {
            try (Connection waiting = source.getConnection()) {
              waiting.setAutoCommit(false);
              waiting.createStatement().executeUpdate("UPDATE kept SET id = 2");
            }
          });
      assertThat(Await.until(SOON, () -> waiters(source) == 1)).isTrue();
      source.close();

      assertThat(wait).succeedsWithin(SOON);
      assertThat(wait.join().getSQLState()).isEqualTo("08006");
    }
  }

  private static int waiters(ClusterDataSource source) {
    return source.pools().get("write-lock").usage().get().inUse();
  }
}
