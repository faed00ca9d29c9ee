package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Checkpoint;
import org.terrace.collections.state.ReplicaState;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Await;

/** The file of a replica's checkpoint, where writing it fails. */
class CheckpointerFaultsTest {
  private static final Duration PERIOD = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static void await(BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as("in time").isTrue();
  }

  @Test
  void aCodecThatThrowsOnceHoldsUpNoLaterCheckpoint(@TempDir Path folder) {
    AtomicBoolean fails = new AtomicBoolean(true);
    AtomicInteger failures = new AtomicInteger();
    Codec<String> frail =
        Codecs.immutable(
            (text, out) -> {
              if (fails.get() && Thread.currentThread().getName().endsWith("checkpoint")) {
                failures.incrementAndGet();
                throw new IllegalStateException("a codec's error, on purpose");
              }
              Codecs.string().encode(text, out);
            },
            Codecs.string()::decode);
    ReplicatedCollections collections = new Replicas(1).get(0);
    MapOptions<String, String> options = MapOptions.of(frail, Codecs.string());
    collections.map("map", options.withLevel(WriteLevel.LOCAL)).put("k", "v");
    Path file = folder.resolve("checkpoint");
    ReplicaState restored = new ReplicaState(0);
    try (var checkpointer = new Checkpointer(collections, new CheckpointFile(file, PERIOD), "a")) {
      checkpointer.start();
      await(() -> failures.get() > 0);
      fails.set(false);
      await(() ->
          Checkpoint.read(file, restored, collections.replica().writes().clock())
              && restored.entries() == 1);
    }
  }
}
