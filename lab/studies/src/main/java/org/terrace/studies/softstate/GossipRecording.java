package org.terrace.studies.softstate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The messages of gossip that replicas counted, read from recordings of the Java Flight Recorder.
 * Immutable.
 *
 * @param replicas how many replicas left their counts
 * @param rounds rounds of gossip of all of them
 * @param messages messages of gossip of all of them
 * @param messagesARoundMax the most that any of them sent from one of its rounds to the next
 */
record GossipRecording(int replicas, long rounds, long messages, long messagesARoundMax) {
  private static final String EVENT = "org.terrace.collections.Metrics";

  /** The option that makes a process leave its counts in that file when it ends. */
  static String option(Path file) {
    return "-XX:StartFlightRecording=settings=none,dumponexit=true,filename="
        + file
        + ","
        + EVENT
        + "#enabled=true,"
        + EVENT
        + "#period=1s";
  }

  /** Reads the files; one that is not there is of a replica that left no counts. */
  static GossipRecording read(List<Path> files) {
    GossipRecording all = new GossipRecording(0, 0, 0, 0);
    for (Path file : files) {
      if (Files.exists(file)) {
        all = all.plus(lastOf(file));
      }
    }
    return all;
  }

  /** The last counts in a file, which are the greatest, since all only grow. */
  private static GossipRecording lastOf(Path file) {
    GossipRecording last = new GossipRecording(0, 0, 0, 0);
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals(EVENT)
            && event.getLong("gossipRounds") >= last.rounds) {
          last =
              new GossipRecording(
                  1,
                  event.getLong("gossipRounds"),
                  event.getLong("gossipMessages"),
                  event.getLong("gossipMessagesARoundMax"));
        }
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "the recording " + file + " cannot be read: " + e.getMessage() + "; run the study again",
          e);
    }
    return last;
  }

  private GossipRecording plus(GossipRecording other) {
    return new GossipRecording(
        replicas + other.replicas,
        rounds + other.rounds,
        messages + other.messages,
        Math.max(messagesARoundMax, other.messagesARoundMax));
  }

  /** Messages a round on average. */
  double messagesARound() {
    return rounds == 0 ? 0 : messages / (double) rounds;
  }
}
