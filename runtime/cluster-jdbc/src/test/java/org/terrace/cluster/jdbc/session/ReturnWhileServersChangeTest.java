package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.MeddlingDriver;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.cluster.jdbc.settings.ClusterUrl;
import org.terrace.testing.Await;

/** A change of the servers while one of them returns, that was told of those before. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ReturnWhileServersChangeTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int RETURNING = 1;

  @TempDir private Path directory;

  @Test
  void whoReturnsIsToldOfIt() throws Exception {
    Properties user = new Properties();
    user.setProperty("user", "shop");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 3);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any");
        DatabaseCluster cluster =
            DatabaseCluster.open(
                ClusterUrl.parse(
                    replicas.url("?minimumReplicas=1&log=" + directory.resolve("log")), user))) {
      forgetServers(replicas);
      MeddlingDriver.Held returning = driver.hold(replicas.place(RETURNING), "attempt");
      replicas.kill(RETURNING);
      await(returning::isReached);
      replicas.startAgain(RETURNING);
      CompletableFuture<Void> changed = changeBeforeItIsBack(cluster, replicas, returning);
      changed.join();
      await(() -> cluster.losses().isEmpty());

      assertThat(number(replicas, RETURNING)).isEqualTo(1);
    }
  }

  /** Its last attempt may end when the next has been told of the servers. */
  @Test
  void whoIsToldInItsNextAttemptIsNotForgottenForTheLast() throws Exception {
    Properties user = new Properties();
    user.setProperty("user", "shop");
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        DatabaseCluster cluster =
            DatabaseCluster.open(
                ClusterUrl.parse(replicas.url("?log=" + directory.resolve("log")), user));
        Connection direct = replicas.direct(RETURNING)) {
      Object last = new Object();
      Object next = new Object();
      cluster.membership().tellReturning(RETURNING, direct, last);
      cluster.membership().tellReturning(RETURNING, direct, next);
      cluster.membership().noLongerReturns(RETURNING, last);

      assertThat(cluster.membership().wasTold(RETURNING, next)).isTrue();
      cluster.membership().noLongerReturns(RETURNING, next);
      assertThat(cluster.membership().wasTold(RETURNING, next)).isFalse();
    }
  }

  /** While the core says nothing, it is told of the servers, and waits for the core's answer. */
  private static CompletableFuture<Void> changeBeforeItIsBack(
      DatabaseCluster cluster, RealReplicas replicas, MeddlingDriver.Held returning) {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CompletableFuture<Void> stop =
        aside(() ->
            cluster
                .steps()
                .between(() -> {
                  stopped.countDown();
                  awaitLatch(over);
                  return true;
                }));
    try {
      awaitLatch(stopped);
      returning.release();
      await(() -> number(replicas, RETURNING) == 0);
      CompletableFuture<Void> changed = aside(() -> remove(cluster, replicas.place(2)));
      await(() -> number(replicas, 0) == 1);
      return changed;
    } finally {
      over.countDown();
      stop.join();
    }
  }

  private static CompletableFuture<Void> aside(Runnable task) {
    return CompletableFuture.runAsync(task, command -> Thread.ofVirtual().start(command));
  }

  private static void remove(DatabaseCluster cluster, String server) {
    try {
      cluster.removeServer(server);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One that is told of the servers later can be seen to have been. */
  private static void forgetServers(RealReplicas replicas) throws SQLException {
    try (Connection direct = replicas.direct(RETURNING);
        Statement statement = direct.createStatement()) {
      statement.execute("SET synchronous_commit = on");
      statement.executeUpdate("UPDATE terrace.membership SET number = -1");
    }
  }

  private static long number(RealReplicas replicas, int replica) {
    try (Connection direct = replicas.direct(replica);
        Statement statement = direct.createStatement();
        ResultSet row = statement.executeQuery("SELECT number FROM terrace.membership")) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      return -1;
    }
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Await.until(LONGEST, condition)).isTrue();
  }
}
