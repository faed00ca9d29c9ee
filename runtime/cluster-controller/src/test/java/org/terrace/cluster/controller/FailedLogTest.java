package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.cluster.jdbc.servers.RealReplicas;

/** A leader whose recovery log cannot be written: it makes room for one whose log can. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(300)
class FailedLogTest {
  /** Its log is full after some hundred commits. */
  private static final int LOG_KILOBYTES = 64;

  @TempDir private Path directory;

  @Test
  void aLeaderWhoseLogIsFullMakesRoomForAnother() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ControllerMachine full = ControllerMachine.start(url(replicas), true, LOG_KILOBYTES)) {
      assertThat(full.awaitReady(60)).isTrue();
      try (ControllerMachine spare = ControllerMachine.start(url(replicas), true)) {
        ToldWriters writers =
            ToldWriters.start("127.0.0.1:%d,127.0.0.1:%d".formatted(full.port(), spare.port()));
        assertThat(spare.awaitSpare(60)).isTrue();
        assertThat(spare.awaitReady(120)).isTrue();
        assertThat(full.awaitSpare(60)).as("it stands by").isTrue();
        writers.awaitWrites(50);
        writers.end();
        writers.judge(replicas);
      }
    }
  }

  @Test
  void aControllerThatIsAloneEndsWhenItsLogIsFull() throws Exception {
    try (RealReplicas replicas = RealReplicas.start("postgresql", 2);
        ControllerMachine full = ControllerMachine.start(url(replicas), false, LOG_KILOBYTES)) {
      assertThat(full.awaitReady(60)).isTrue();
      ToldWriters writers = ToldWriters.start("127.0.0.1:" + full.port());
      assertThat(full.awaitEnd(120)).isNotZero();
      try (ControllerMachine next = full.successor()) {
        assertThat(next.awaitReady(60)).isTrue();
        writers.awaitWrites(50);
        writers.end();
        writers.judge(replicas);
      }
    }
  }

  private String url(RealReplicas replicas) {
    return replicas.url("?log=%s&hangMillis=10000".formatted(directory.resolve("log")));
  }
}
