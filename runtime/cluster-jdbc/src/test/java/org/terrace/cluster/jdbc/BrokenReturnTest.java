package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.MeddlingDriver;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** A return that runs out of memory in its last round, for which commits wait. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class BrokenReturnTest {
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int RETURNING = 1;

  @TempDir private Path directory;

  @Test
  void commitsAreAnsweredAndItIsTriedAgain() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        MeddlingDriver driver = MeddlingDriver.inPlaceOf("jdbc:postgresql://any/any");
        ClusterDataSource source =
            replicas.open("?minimumReplicas=1&log=" + directory.resolve("log"))) {
      execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
      writeDown(replicas);
      MeddlingDriver.Held returning = driver.hold(replicas.place(RETURNING), "attempt");
      replicas.kill(RETURNING);
      await(returning::isReached);
      replicas.startAgain(RETURNING);
      try (Connection direct = replicas.direct(RETURNING)) {
        // It stops where it is told of the servers, after it has done all that the log has.
        direct.setAutoCommit(false);
        RealReplicas.rows(direct, "SELECT number FROM terrace.membership FOR UPDATE");
        returning.release();
        await(() -> waitsForALock(replicas));
        execute(source, "INSERT INTO kept VALUES (1)");
        driver.runOutOfMemory(replicas.place(RETURNING), "apply");
      }
      await(driver::hasMeddled);

      CompletableFuture<Void> commit = aside(() -> insert(source));

      await(commit::isDone);
      commit.join();
      awaitLosses(source, 0);
      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1))
          .containsOnly("1\n2\n");
    }
  }

  /** A commit that is waited for brings all before it to the disk: it lacks nothing later. */
  private static void writeDown(RealReplicas replicas) throws SQLException {
    try (Connection direct = replicas.direct(RETURNING);
        Statement statement = direct.createStatement()) {
      statement.execute("SET synchronous_commit = on");
      statement.executeUpdate("UPDATE terrace.membership SET number = number");
    }
  }

  private static boolean waitsForALock(RealReplicas replicas) {
    try {
      return replicas
          .everywhere(
              "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'", RETURNING)
          .equals(List.of("1\n"));
    } catch (SQLException e) {
      return false;
    }
  }

  private static void insert(ClusterDataSource source) {
    try {
      execute(source, "INSERT INTO kept VALUES (2)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<Void> aside(Runnable task) {
    return CompletableFuture.runAsync(task, command -> Thread.ofVirtual().start(command));
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Await.until(LONGEST, condition)).isTrue();
  }
}
