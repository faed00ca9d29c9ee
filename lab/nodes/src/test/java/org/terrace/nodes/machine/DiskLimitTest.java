package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessStat;
import org.terrace.testing.Await;

/** Real writes of a real process to a real disk, where this machine can hold them back. */
@Timeout(120)
@Tag("real-processes")
class DiskLimitTest {
  private static final int KIBIBYTES = 1_024;
  private static final long BYTES_PER_SECOND = 512 << 10;

  /** Other programs may hold up one of them. */
  private static final int FREE_WRITES = 3;

  @TempDir Path directory;

  /** The seconds that a process takes to write a mebibyte to the disk and wait for it. */
  private double secondsToWrite(List<String> prefix) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            "dd",
            "if=/dev/zero",
            "of=" + directory.resolve("written"),
            "bs=1k",
            "count=" + KIBIBYTES,
            "conv=fdatasync",
            "status=none"));
    TimeSource time = TimeSource.system();
    long start = time.elapsedNanos();
    Process process = new ProcessBuilder(command).directory(directory.toFile()).start();
    assertThat(process.waitFor()).isZero();
    return (time.elapsedNanos() - start) / 1e9;
  }

  @Test
  void whatAServerWaitsForToBeWrittenTakesAsLongAsTheLimitSays() throws Exception {
    Process server = new ProcessBuilder("sleep", "100").directory(directory.toFile()).start();
    try (DiskLimit limit = open(List.of(server.pid()))) {
      limit.enforce(List.of(), BYTES_PER_SECOND);
      List<String> inGroup =
          List.of(
              "sh",
              "-c",
              "echo $$ >\"$0\" && exec \"$@\"",
              limit.folder().resolve("cgroup.procs").toString());
      double held = secondsToWrite(inGroup);
      limit.lift();
      double free = Double.MAX_VALUE;
      for (int write = 0; write < FREE_WRITES; write++) {
        free = Math.min(free, secondsToWrite(inGroup));
      }

      // A mebibyte at half a mebibyte a second.
      assertThat(held).isBetween(1.5, 10.0);
      assertThat(free).isLessThan(held / 2);
    } finally {
      server.destroyForcibly();
      server.onExit().join();
    }
  }

  /** A process of a server, and one that has ended between two looks at it. */
  @Test
  void aProcessThatIsGoneMeanwhileIsPassedOver() throws Exception {
    Process server =
        new ProcessBuilder("sh", "-c", "true & exec sleep 100")
            .directory(directory.toFile())
            .start();
    Path hierarchy = Files.createDirectory(directory.resolve("blkio"));
    Files.writeString(hierarchy.resolve("blkio.throttle.write_bps_device"), "");
    try {
      long gone = zombie(server);
      open(List.of(server.pid()), hierarchy).close(); // else this machine has no such disk
      DiskLimit limit = DiskLimit.of(List.of(gone, server.pid()), hierarchy);
      Files.writeString(limit.folder().resolve("blkio.throttle.read_bps_device"), "");
      Files.writeString(limit.folder().resolve("blkio.throttle.write_bps_device"), "");

      // The group takes nobody: it lacks the kernel's file for that.
      limit.enforce(List.of(gone), BYTES_PER_SECOND);

      assertThatThrownBy(() -> limit.enforce(List.of(gone, server.pid()), BYTES_PER_SECOND))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("cgroup.procs");
      assertThatThrownBy(() -> DiskLimit.of(List.of(gone), hierarchy))
          .hasMessageContaining("the server has no process");
    } finally {
      server.destroyForcibly();
      server.onExit().join();
    }
  }

  /** The child of a process, once it has ended; nobody reaps it. */
  private static long zombie(Process parent) {
    AtomicLong found = new AtomicLong();
    assertThat(
            Await.until(
                Duration.ofSeconds(20),
                () -> {
                  parent.children().findAny().ifPresent(child -> found.set(child.pid()));
                  return ProcessStat.of(found.get())
                      .filter(stat -> stat.state() == 'Z')
                      .isPresent();
                }))
        .isTrue();
    return found.get();
  }

  private static DiskLimit open(List<Long> members) {
    return open(members, DiskLimit.BLKIO);
  }

  private static DiskLimit open(List<Long> members, Path hierarchy) {
    try {
      return DiskLimit.of(members, hierarchy);
    } catch (TerraceException e) {
      Assumptions.abort(e.getMessage());
      throw e;
    }
  }

  @Test
  void dataInMemoryHaveNoDiskToHoldBack() throws Exception {
    Path memory = Path.of("/dev/shm");
    Assumptions.assumeTrue(Files.isDirectory(memory), "there is no file system in memory");
    Process server = new ProcessBuilder("sleep", "100").directory(memory.toFile()).start();
    Path hierarchy = Files.createDirectory(directory.resolve("blkio"));
    Files.writeString(hierarchy.resolve("blkio.throttle.write_bps_device"), "");
    try {
      assertThatThrownBy(() -> DiskLimit.of(List.of(server.pid()), hierarchy))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("lies on no block device of its own");
    } finally {
      server.destroyForcibly();
      server.onExit().join();
    }
  }
}
