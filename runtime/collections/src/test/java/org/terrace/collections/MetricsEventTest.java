package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.codec.Codecs;

class MetricsEventTest {
  private static final int OPENED = 200;

  @Test
  void aRecordingHasTheMetricsOfAReplicaWhenItCloses(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("metrics.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("org.terrace.collections.Metrics");
      recording.start();
      Replicas replicas = new Replicas(2);
      replicas
          .get(0)
          .map("map", MapOptions.of(Codecs.string(), Codecs.string()))
          .putAsync("key", "value");
      replicas.converge();
      replicas.simulation.runFor(SimulatedCluster.SECOND);
      replicas.all.forEach(ReplicatedCollections::close);
      recording.stop();
      recording.dump(file);
    }

    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getLong("gossipRounds") > 0)
            .toList();
    assertThat(events).extracting(event -> event.getString("member")).contains("a", "b");
    for (RecordedEvent event : events) {
      assertThat(event.getLong("gossipMessagesARoundMax")).isBetween(1L, 3L);
      assertThat(event.getLong("entries")).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aReplicaThatNobodyClosedIsNotHeldByItsMetrics() {
    WeakReference<Object> replica = new WeakReference<>(new Replicas(1).get(0).replica());
    for (int i = 0; i < 100 && replica.get() != null; i++) {
      System.gc();
    }

    assertThat(replica.get()).isNull();
  }

  @Test
  void nothingIsLeftInTheRecorderOfReplicasThatNobodyClosed() {
    for (int i = 0; i < OPENED; i++) {
      new Replicas(1);
    }
    for (int i = 0; i < 100 && MetricsEvent.noted() >= OPENED; i++) {
      System.gc();
    }

    assertThat(MetricsEvent.noted()).isLessThan(OPENED);
  }
}
