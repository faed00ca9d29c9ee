package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * One connection of several whose way alone falls silent: of a statement, and of a return. The
 * others to the same server go on.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
class SilentConnectionTest {
  private static final Duration LONGEST = Duration.ofSeconds(100);
  private static final int SERVER = 1;

  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void neitherAStatementNorAReturnWaitsForEver(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        FreezingRelay relay = FreezingRelay.to(replicas.place(SERVER))) {
      String options = "?connectMillis=1000&hangMillis=1000&log=" + directory.resolve("log");
      String url = replicas.url(options).replace(replicas.place(SERVER), relay.place());
      try (ClusterDataSource source = ClusterDataSource.open(url, "shop", "")) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");

        relay.silenceAt("VALUES (7)");
        assertThat(insert(source, 7)).as("a statement").succeedsWithin(LONGEST);
        assertThat(relay.isToSilence()).isFalse();
        awaitLosses(source, 0);

        relay.freeze();
        awaitLosses(source, 1);
        execute(source, "INSERT INTO kept VALUES (8)");
        relay.silenceAt("VALUES (8)");
        relay.thaw();
        assertThat(Await.until(LONGEST, () -> !relay.isToSilence())).isTrue();
        awaitLosses(source, 0);
      }
      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1))
          .containsOnly("7\n8\n");
    }
  }

  /** The server does not learn that its client is gone, and keeps what that had locked. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatItHadLockedIsFree(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        FreezingRelay relay = FreezingRelay.to(replicas.place(SERVER))) {
      String options = "?connectMillis=1000&hangMillis=1000&log=" + directory.resolve("log");
      String url = replicas.url(options).replace(replicas.place(SERVER), relay.place());
      try (ClusterDataSource source = ClusterDataSource.open(url, "shop", "")) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO kept VALUES (1)");
        try (Connection connection = source.getConnection();
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          statement.execute("UPDATE kept SET id = 2 WHERE id = 1");
          relay.silenceAt("VALUES (7)");
          statement.execute("INSERT INTO kept VALUES (7)");
          connection.commit();
        }
        execute(source, "UPDATE kept SET id = 3 WHERE id = 2");
        awaitLosses(source, 0);
        execute(source, "UPDATE kept SET id = 4 WHERE id = 3");
      }
      assertThat(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1))
          .containsOnly("4\n7\n");
    }
  }

  /** The client waits no longer when its time is over; its statement at the server does. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatItHadLockedIsFreeThoughItsTimeIsOver(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        FreezingRelay relay = FreezingRelay.to(replicas.place(SERVER))) {
      String options = "?connectMillis=1000&hangMillis=1000&log=" + directory.resolve("log");
      String url = replicas.url(options).replace(replicas.place(SERVER), relay.place());
      try (ClusterDataSource source = ClusterDataSource.open(url, "shop", "")) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO kept VALUES (1)");
        relay.silenceAt("UPDATE kept SET id = 2");
        try (Connection connection = source.getConnection();
            Statement statement = connection.createStatement()) {
          statement.setQueryTimeout(3);
          assertThatThrownBy(() -> statement.execute("UPDATE kept SET id = 2 WHERE id = 1"))
              .isInstanceOf(SQLException.class);
        }
        assertThat(
                Await.until(LONGEST, () -> isDone(source, "UPDATE kept SET id = 3 WHERE id = 1")))
            .isTrue();
        awaitLosses(source, 0);
      }
      assertThat(replicas.everywhere("SELECT id FROM kept", 0, 1)).containsOnly("3\n");
    }
  }

  private static boolean isDone(ClusterDataSource source, String sql) {
    try {
      execute(source, sql);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Silence of all connections at once is noticed by the watch. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatAServerThatFellSilentHadLockedIsFree(String engine) throws Exception {
    try (RealReplicas replicas = RealReplicas.start(engine, 2);
        FreezingRelay relay = FreezingRelay.to(replicas.place(SERVER))) {
      String options = "?connectMillis=1000&hangMillis=1000&log=" + directory.resolve("log");
      String url = replicas.url(options).replace(replicas.place(SERVER), relay.place());
      try (ClusterDataSource source = ClusterDataSource.open(url, "shop", "")) {
        execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
        execute(source, "INSERT INTO kept VALUES (1)");
        try (Connection connection = source.getConnection();
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          statement.execute("UPDATE kept SET id = 2 WHERE id = 1");
          relay.freeze();
          awaitLosses(source, 1);
          connection.commit();
        }
        relay.thaw();
        awaitLosses(source, 0);
        execute(source, "UPDATE kept SET id = 3 WHERE id = 2");
      }
      assertThat(replicas.everywhere("SELECT id FROM kept", 0, 1)).containsOnly("3\n");
    }
  }

  private static CompletableFuture<Void> insert(ClusterDataSource source, int id) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        execute(source, "INSERT INTO kept VALUES (" + id + ")");
        done.complete(null);
      } catch (SQLException e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }
}
