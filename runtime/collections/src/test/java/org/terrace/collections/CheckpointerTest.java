package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.collections.SimulatedCluster.SECOND;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.gossip.Departure;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.ReplicaState;
import org.terrace.testing.Await;

/** The file of a replica's checkpoint, while the replica leaves. */
class CheckpointerTest {
  private static final Duration PERIOD = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final SimulatedCluster cluster = SimulatedCluster.calm(3);
  private ReplicatedCollections leaving;
  private Path file;
  private Checkpointer checkpointer;

  /** The last replica has a checkpoint on a disk, and its heirs have all that it has. */
  @BeforeEach
  void handOver() {
    cluster.holdsCheckpointOf = "c"; // its checkpoints are those on the real disk
    cluster.settle();
    cluster.call("c", "kept", "of c", WriteLevel.LOCAL);
    cluster.simulation.runFor(SECOND);
    leaving = cluster.site("c").collections();
    file = directory.resolve("checkpoint");
    checkpointer = new Checkpointer(leaving, new CheckpointFile(file, PERIOD), "c");
    checkpointer.start();
    await(() -> Files.exists(file));
    leaving.replica().leaveForGood(true);
    checkpointer.discardOnceHandedOver();
    assertThat(cluster.simulation.runUntil(leaving::isHandedOver, 5 * SECOND)).isTrue();
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as("in time").isTrue();
  }

  private Departure.Phase phase() {
    return leaving.replica().within(() -> leaving.replica().antiEntropy().departure());
  }

  @Test
  void whoIsClosedBeforeItSaysThatItLeftHasItsCheckpointAgain() throws IOException {
    await(() -> Files.notExists(file));
    checkpointer.close();

    ReplicaState restored = new ReplicaState(64 << 20);
    try (InputStream in = Files.newInputStream(file)) {
      Checkpoint.read(in, restored, leaving.replica().writes().clock());
    }
    assertThat(restored.applied().covers(leaving.state().applied())).isTrue();
    cluster.simulation.runFor(5 * SECOND);
    assertThat(phase()).isEqualTo(Departure.Phase.FROZEN);
  }

  @Test
  void whoHasLeftHasNoCheckpointAnyMore() {
    await(() -> {
      cluster.simulation.runFor(SECOND / 100);
      return phase() == Departure.Phase.DONE;
    });
    checkpointer.close();

    assertThat(file).doesNotExist();
  }
}
