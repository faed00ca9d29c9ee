package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** A real process that writes all the time to a real disk, within a limit from its start on. */
@Timeout(120)
@Tag("real-processes")
class DiskGroupTest {
  private static final TimeSource TIME = TimeSource.system();
  private static final long BYTES_PER_SECOND = 1 << 20;
  private static final List<String> WRITER =
      List.of(
          "sh",
          "-c",
          "exec dd if=/dev/zero of=written bs=16k count=100000 oflag=dsync status=none");

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path directory;

  /** The lines that lift the limits, by the kernel's file. */
  private final Map<Path, String> lifts = new ConcurrentHashMap<>();

  @Test
  void aServerWritesAsMuchAsItsLimitSaysAndUsesItWhole() throws Exception {
    Process server;
    try (DiskGroup group = make()) {
      server = start(group.command(WRITER));
      try {
        LimitUse use = LimitUse.of(group, TIME);
        assertThat(use.next()).isEmpty();
        group.enforce(List.of(server.pid()));
        var _ = use.next();
        long before = group.transfer().writtenBytes();
        long begun = TIME.elapsedNanos();

        assertThat(
                Await.until(
                    LONG, () -> group.transfer().writtenBytes() - before > 3 * BYTES_PER_SECOND))
            .isTrue();

        double seconds = (TIME.elapsedNanos() - begun) / 1e9;
        assertThat(seconds).isGreaterThan(2);
        assertThat(use.next().orElseThrow()).isBetween(0.5, 1.3);
        try (var files = Files.list(directory)) {
          assertThat(files).as("the proof leaves nothing").hasSize(1);
        }
      } finally {
        server.destroyForcibly();
        server.onExit().join();
      }
      assertThat(group.folder()).exists();
    }
  }

  @Test
  void withoutItsLimitAServerWritesMore() throws Exception {
    try (DiskGroup group = make()) {
      Process server = start(group.command(WRITER));
      try {
        group.enforce(List.of(server.pid()));
        LimitUse use = LimitUse.of(group, TIME);
        var _ = use.next();
        group.suspend();
        long before = group.transfer().writtenBytes();

        assertThat(
                Await.until(
                    LONG, () -> group.transfer().writtenBytes() - before > 4 * BYTES_PER_SECOND))
            .isTrue();

        assertThat(use.next().orElseThrow()).isGreaterThan(1.3);
      } finally {
        server.destroyForcibly();
        server.onExit().join();
      }
    }
  }

  @Test
  void aServerReadsAsMuchAsItsLimitSays() throws Exception {
    Process filled =
        new ProcessBuilder(
                "dd",
                "if=/dev/zero",
                "of=" + directory.resolve("kept"),
                "bs=1M",
                "count=16",
                "oflag=dsync")
            .start();
    assertThat(filled.waitFor()).isZero();
    try (DiskGroup group = make()) {
      Process server =
          start(
              group.command(
                  List.of(
                      "sh",
                      "-c",
                      "while :; do dd if=kept of=/dev/null bs=64k iflag=direct status=none; done")));
      try {
        LimitUse use = LimitUse.of(group, TIME);
        group.enforce(List.of(server.pid()));
        var _ = use.next();
        long before = group.transfer().readBytes();
        long begun = TIME.elapsedNanos();

        assertThat(
                Await.until(
                    LONG, () -> group.transfer().readBytes() - before > 3 * BYTES_PER_SECOND))
            .isTrue();

        assertThat((TIME.elapsedNanos() - begun) / 1e9).isGreaterThan(2);
        assertThat(use.next().orElseThrow()).isBetween(0.5, 1.3);
      } finally {
        server.destroyForcibly();
        server.onExit().join();
      }
    }
  }

  /**
   * A process that is killed while it waits for its storage has to have an answer before it ends.
   */
  @Test
  void whoWaitsForItsStorageEndsOnceTheLimitIsLifted() throws Exception {
    try (DiskGroup group = make()) {
      Process server =
          start(
              group.command(
                  List.of(
                      "sh",
                      "-c",
                      "read -r go; exec dd if=/dev/zero of=written bs=32M count=1 oflag=dsync")));
      try {
        group.enforce(List.of(server.pid()));
        long before = group.transfer().writtenBytes();
        try (var input = server.outputWriter(StandardCharsets.UTF_8)) {
          input.write("go\n");
        }
        assertThat(
                Await.until(
                    LONG, () -> group.transfer().writtenBytes() - before > BYTES_PER_SECOND))
            .isTrue();
        server.destroyForcibly();
        assertThat(server.waitFor(2, TimeUnit.SECONDS)).as("it waits").isFalse();
        assertThat(lifts).hasSize(2);

        for (Map.Entry<Path, String> lift : lifts.entrySet()) {
          Files.writeString(lift.getKey(), lift.getValue());
        }

        assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(15));
      } finally {
        group.suspend();
        server.destroyForcibly();
        server.onExit().join();
      }
    }
  }

  /** Files that look like the kernel's, which hold nothing back. */
  @Test
  void aLimitThatNothingHeedsIsRefused() throws Exception {
    Path hierarchy = Files.createDirectory(directory.resolve("blkio"));
    Files.writeString(hierarchy.resolve("blkio.throttle.write_bps_device"), "");
    Process server = new ProcessBuilder("sleep", "100").directory(directory.toFile()).start();
    try {
      DiskGroup group = DiskGroup.make("database1", BYTES_PER_SECOND, lifts::put, TIME, hierarchy);
      for (String file :
          List.of(
              "cgroup.procs",
              "blkio.throttle.read_bps_device",
              "blkio.throttle.write_bps_device",
              "blkio.throttle.io_service_bytes")) {
        Files.createFile(group.folder().resolve(file));
      }

      assertThatThrownBy(() -> group.enforce(List.of(server.pid())))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("the storage of database1 cannot be limited here")
          .hasMessageContaining("does not heed the limit");
    } finally {
      server.destroyForcibly();
      server.onExit().join();
    }
  }

  @Test
  void aMachineWithoutTheControllerIsTold() {
    assertThatThrownBy(
            () -> DiskGroup.make("database1", BYTES_PER_SECOND, lifts::put, TIME, directory))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the storage of database1 cannot be limited here")
        .hasMessageContaining("no control groups of version 1 with the blkio controller");
  }

  private Process start(List<String> command) throws Exception {
    return new ProcessBuilder(command).directory(directory.toFile()).start();
  }

  private DiskGroup make() {
    try {
      return DiskGroup.make("database1", BYTES_PER_SECOND, lifts::put, TIME);
    } catch (TerraceException e) {
      Assumptions.abort(e.getMessage());
      throw e;
    }
  }
}
