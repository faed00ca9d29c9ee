package org.terrace.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.cluster.jdbc.ClusterSteps.awaitLosses;
import static org.terrace.cluster.jdbc.ClusterSteps.execute;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * Listeners of a program that fail within a step of the cluster: what the step says beside is done.
 */
@Tag("real-processes")
@Tag("untimed")
@Timeout(90)
class FailingListenerTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;

  /** A listener that fails with whatever it is given. */
  private static ReplicaListener failing(Runnable failure) {
    return new ReplicaListener() {
      @Override
      public void lost(String replica, String reason) {
        failure.run();
      }

      @Override
      public void returned(String replica) {
        failure.run();
      }
    };
  }

  private static ReplicaListener noting(List<String> told) {
    return new ReplicaListener() {
      @Override
      public void lost(String replica, String reason) {
        told.add("lost " + replica);
      }

      @Override
      public void returned(String replica) {
        told.add("returned " + replica);
      }
    };
  }

  @Test
  void othersAreToldAndTheServerReturns() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ClusterDataSource source = open(replicas)) {
      source.listen(
          failing(() -> {
            throw new IllegalStateException("planted");
          }));
      source.listen(
          failing(() -> {
            throw new NoClassDefFoundError("planted");
          }));
      source.listen(noting(told));
      loseAndFind(replicas, source);
      String place = replicas.place(1);
      assertThat(Await.until(SOON, () -> told.size() == 2)).as(told::toString).isTrue();
      assertThat(told).containsExactly("lost " + place, "returned " + place);
    }
  }

  private ClusterDataSource open(RealReplicas replicas) throws Exception {
    return replicas.open("?minimumReplicas=1&log=" + directory.resolve("log"));
  }

  /** Loses a server and has it back, and writes before, between and behind. */
  private static void loseAndFind(RealReplicas replicas, ClusterDataSource source)
      throws Exception {
    execute(source, "CREATE TABLE kept (id INT PRIMARY KEY)");
    replicas.kill(1);
    awaitLosses(source, 1);
    execute(source, "INSERT INTO kept VALUES (1)");
    replicas.startAgain(1);
    awaitLosses(source, 0);
    execute(source, "INSERT INTO kept VALUES (2)");
    assertThat(new HashSet<>(replicas.everywhere("SELECT id FROM kept ORDER BY id", 0, 1)))
        .containsExactly("1\n2\n");
  }
}
