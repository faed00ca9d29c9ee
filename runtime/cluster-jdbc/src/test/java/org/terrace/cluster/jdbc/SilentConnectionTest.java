package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.sql.SQLException;
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
