package org.terrace.studies.softstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GossipRecordingTest {
  private static final EventFactory METRICS =
      EventFactory.create(
          List.of(new AnnotationElement(Name.class, "org.terrace.collections.Metrics")),
          List.of(
              new ValueDescriptor(long.class, "gossipRounds"),
              new ValueDescriptor(long.class, "gossipMessages"),
              new ValueDescriptor(long.class, "gossipMessagesARoundMax")));

  private static void note(long rounds, long messages, long most) {
    Event event = METRICS.newEvent();
    event.set(0, rounds);
    event.set(1, messages);
    event.set(2, most);
    event.commit();
  }

  private static Path record(Path file, Runnable notes) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("org.terrace.collections.Metrics");
      recording.start();
      notes.run();
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  @Test
  void theLastCountsOfEachReplicaAreAddedUp(@TempDir Path folder) throws IOException {
    Path one =
        record(
            folder.resolve("1.jfr"),
            () -> {
              note(10, 12, 2);
              note(20, 25, 3);
            });
    Path two = record(folder.resolve("2.jfr"), () -> note(30, 35, 1));

    GossipRecording read = GossipRecording.read(List.of(one, two, folder.resolve("3.jfr")));

    assertThat(read).isEqualTo(new GossipRecording(2, 50, 60, 3));
    assertThat(read.messagesARound()).isEqualTo(1.2);
  }
}
