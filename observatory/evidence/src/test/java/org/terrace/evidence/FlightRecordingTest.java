package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

@Tag("real-processes")
class FlightRecordingTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int CUTS = 150;

  @TempDir Path directory;

  /** A recording of this JVM, whole, then cut and damaged. */
  @Test
  void whatAJvmRecordsIsToldAndDamageIsNoted() throws Exception {
    Path file = directory.resolve("app.recording");
    long before = TimeSource.system().epochNanos();
    record(file);
    long after = TimeSource.system().epochNanos();

    Evidence read = EvidenceFile.read(file, "app1", null);

    assertThat(read.summary()).contains("Flight Recorder");
    assertThat(read.notes()).isEmpty();
    assertThat(read.events())
        .extracting(Event::kind)
        .contains(EventKinds.GC_PAUSE, EventKinds.MONITOR_WAIT, EventKinds.FILE_SYNC);
    assertThat(read.events())
        .allSatisfy(event -> {
          assertThat(event.node()).isEqualTo("app1");
          assertThat(event.startNanos()).isGreaterThan(before);
          assertThat(event.endNanos()).isLessThan(after);
        });
    assertThat(read.events())
        .anySatisfy(event -> assertThat(event.attributes()).containsEntry("cause", "System.gc()"));
    damage(Files.readAllBytes(file));
  }

  private static void record(Path file) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.GCPhasePause").withThreshold(Duration.ZERO);
      recording.enable("jdk.GarbageCollection").withThreshold(Duration.ZERO);
      recording.enable("jdk.JavaMonitorEnter").withThreshold(Duration.ZERO);
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      System.gc();
      contend();
      try (FileChannel forced =
          FileChannel.open(
              file.resolveSibling("forced"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        forced.write(ByteBuffer.allocate(1));
        forced.force(true);
      }
      recording.stop();
      recording.dump(file);
    }
  }

  private static void contend() throws InterruptedException {
    Object monitor = new Object();
    Thread waiter =
        Thread.ofPlatform()
            .unstarted(() -> {
              synchronized (monitor) {
                monitor.notifyAll();
              }
            });
    synchronized (monitor) {
      waiter.start();
      assertThat(Await.until(SOON, () -> waiter.getState() == Thread.State.BLOCKED)).isTrue();
    }
    waiter.join();
  }

  private void damage(byte[] whole) throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("FlightRecordingTest.damage"));
    Path file = directory.resolve("damaged");
    for (int round = 0; round < CUTS; round++) {
      int length = round < CUTS / 2 ? round : random.nextInt(whole.length);
      Files.write(file, Arrays.copyOf(whole, length));
      Damage.check(file);
      byte[] damaged = whole.clone();
      damaged[4 + random.nextInt(damaged.length - 4)] = (byte) random.nextInt(256);
      Files.write(file, damaged);
      Damage.check(file);
    }
  }
}
