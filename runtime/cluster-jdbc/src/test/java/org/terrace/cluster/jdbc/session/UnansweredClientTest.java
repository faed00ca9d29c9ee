package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.core.ClusterCore;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.LockMode;
import org.terrace.cluster.core.Lockable;
import org.terrace.cluster.jdbc.servers.FailingDeed;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.testing.Await;

/** Clients while an effect of the cluster's core fails: their own answer, or one before it. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(90)
class UnansweredClientTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final long TRANSACTIONS_MAX = 10;

  /** No client has it. */
  private static final long UNKNOWN = 999;

  private static DatabaseCluster open(RealReplicas replicas) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    return DatabaseCluster.open(
        ClusterUrl.parse(replicas.url("?lockWaitMillis=3600000"), properties));
  }

  @Test
  void whoseAnswerCannotBeGivenRollsBackAndGoesOn() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 1);
        DatabaseCluster cluster = open(replicas);
        Connection holder = new ClusterConnection(cluster, () -> {});
        Connection waiting = new ClusterConnection(cluster, () -> {})) {
      execute(holder, "CREATE TABLE kept (id INT PRIMARY KEY)");
      holder.setAutoCommit(false);
      waiting.setAutoCommit(false);
      execute(holder, "INSERT INTO kept VALUES (1)");
      CompletableFuture<SQLException> wait =
          FailingDeed.begin(() -> execute(waiting, "INSERT INTO kept VALUES (2)"));
      assertThat(Await.until(SOON, () -> cluster.ask(ClusterCore::lockWaiters) == 1)).isTrue();
      latest(cluster).unanswered(new IllegalStateException("planted"));

      assertThat(wait).succeedsWithin(SOON);
      assertThat(wait.join().getMessage()).contains("failed to answer");
      assertThat(wait.join().getSQLState()).isEqualTo("08006");
      waiting.rollback();
      holder.commit();
      execute(waiting, "INSERT INTO kept VALUES (3)");
      waiting.commit();
      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0))
          .containsExactly("1\n3\n");
    }
  }

  /** The answer to a transaction that nobody knows fails, and is the one before the client's. */
  @Test
  void whoComesBehindAnEffectThatFailsIsAnswered() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 1);
        DatabaseCluster cluster = open(replicas);
        Connection holder = new ClusterConnection(cluster, () -> {});
        Connection waiting = new ClusterConnection(cluster, () -> {})) {
      execute(holder, "CREATE TABLE kept (id INT PRIMARY KEY)");
      holder.setAutoCommit(false);
      waiting.setAutoCommit(false);
      execute(holder, "INSERT INTO kept VALUES (1)");
      LockDemand table = new LockDemand(Lockable.ofTable("kept"), LockMode.EXCLUSIVE);
      cluster.post(new ClusterEvent.Write(UNKNOWN, List.of(table)));
      CompletableFuture<SQLException> wait =
          FailingDeed.begin(() -> execute(waiting, "INSERT INTO kept VALUES (2)"));
      assertThat(Await.until(SOON, () -> cluster.ask(ClusterCore::lockWaiters) == 2)).isTrue();
      cluster.post(new ClusterEvent.Fenced("another"));

      assertThat(wait).succeedsWithin(SOON);
      assertThat(wait.join().getMessage()).contains("the cluster belongs to another");
    }
  }

  /** The transaction that began last. */
  private static ClientTransaction latest(DatabaseCluster cluster) {
    return LongStream.rangeClosed(1, TRANSACTIONS_MAX)
        .mapToObj(cluster::transaction)
        .filter(Objects::nonNull)
        .reduce((_, later) -> later)
        .orElseThrow();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
