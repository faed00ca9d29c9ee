package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.Keeper;

/**
 * A kernel control group that limits what one server's storage takes, and what it gives, a second.
 * Its processes are in it from their start on; the limit is in force from {@link #enforce}, which
 * also proves it. Held are reads that the kernel has not kept, and writes that are waited for, as
 * of a database's log; what the kernel writes back of its own accord is not (version 1 of control
 * groups). Thread-safe.
 *
 * <p>Source: Linux kernel documentation, "Block IO Controller" (cgroup-v1/blkio-controller).
 */
public final class DiskGroup implements AutoCloseable {
  /** The kernel gives in slices of a tenth of a second, the first of them at once. */
  private static final double LEAST_SHARE_OF_TIME = 0.6;

  private static final long LEAST_BLOCK_BYTES = 1L << 14;
  private static final long MOST_BLOCK_BYTES = 1L << 20;
  private static final long PROBE_SECONDS = 20;
  private static final int WRITES_A_SECOND = 2;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Writes to a file without a name, which nothing that happens can leave behind. */
  private static final String PROBE =
      """
      exec 3<>"$0" && rm "$0" &&
      exec dd if=/dev/zero of=/proc/self/fd/3 bs="$1" count="$2" oflag=dsync
      """;

  private final String server;
  private final Path folder;
  private final long limitBytes;
  private final TimeSource time;
  private @Nullable String device;

  private DiskGroup(String server, Path folder, long limitBytes, TimeSource time) {
    this.server = server;
    this.folder = folder;
    this.limitBytes = limitBytes;
    this.time = time;
  }

  /**
   * Makes the group of a server, whose limit is not in force yet.
   *
   * @param limitBytes the most that is read a second, and the most that is written
   * @throws TerraceException if this machine cannot do it, with the reason
   */
  static DiskGroup make(String server, long limitBytes, TimeSource time) {
    return make(server, limitBytes, time, DiskLimit.BLKIO);
  }

  static DiskGroup make(String server, long limitBytes, TimeSource time, Path hierarchy) {
    try {
      DiskLimit.requireController(hierarchy);
      DiskLimit.removeLeftovers(hierarchy);
      Path folder = hierarchy.resolve(GroupFolders.runName(DiskLimit.NUMBER.incrementAndGet()));
      Files.createDirectory(folder);
      return new DiskGroup(server, folder, limitBytes, time);
    } catch (IOException e) {
      throw refusal(server, e.getMessage(), e);
    }
  }

  private static TerraceException refusal(
      String server, @Nullable String why, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the storage of %s cannot be limited here (%s)".formatted(server, why),
        cause);
  }

  /** The group's folder in the control group file system. */
  public Path folder() {
    return folder;
  }

  /** The limit in bytes a second. */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * A command that joins the group and then becomes the given command, with the same process id. It
   * ends with 126 when joining is refused.
   */
  public List<String> command(List<String> command) {
    return ControlGroup.joining(folder, command);
  }

  /**
   * Puts the limit in force and proves it by half a second of writes into the folder in which the
   * server works.
   *
   * @param members the server's processes, the first of which works where its data are
   * @throws TerraceException if the writes are not held back, or the kernel refuses
   */
  public synchronized void enforce(List<Long> members) {
    try {
      if (members.isEmpty()) {
        throw new IOException("the server has no process");
      }
      Path data = Path.of("/proc", Long.toString(members.getFirst()), "cwd").toRealPath();
      String found = DiskLimit.device(data);
      device = found;
      DiskLimit.set(folder, found, limitBytes);
      prove(data);
    } catch (IOException e) {
      throw refusal(server, e.getMessage(), e);
    }
  }

  private void prove(Path data) throws IOException {
    long block = Math.clamp(limitBytes / 8, LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES);
    long blocks = Math.max(2, limitBytes / WRITES_A_SECOND / block);
    Path file = data.resolve(".terrace-probe-" + folder.getFileName());
    List<String> probe =
        List.of("sh", "-c", PROBE, file.toString(), Long.toString(block), Long.toString(blocks));
    long begun = time.elapsedNanos();
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(command(probe))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
    try {
      if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("a short write to " + data + " does not come back");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    double seconds = (time.elapsedNanos() - begun) / NANOS_PER_SECOND;
    if (process.exitValue() != 0) {
      throw new IOException("nothing could be written to " + data);
    }
    double expected = (double) blocks * block / limitBytes;
    if (seconds < expected * LEAST_SHARE_OF_TIME) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%,d bytes were written to %s in %.2f s, which were to take %.2f: its file system"
                  + " does not heed the limit",
              blocks * block,
              data,
              seconds,
              expected));
    }
  }

  /**
   * Lets the server use its storage as it can until {@link #enforce}.
   *
   * @throws TerraceException when the kernel refuses
   */
  public synchronized void suspend() {
    if (device != null) {
      try {
        DiskLimit.set(folder, device, 0);
      } catch (IOException e) {
        throw refusal(server, e.getMessage(), e);
      }
    }
  }

  /**
   * The bytes that the group has read and those that it has written since it was made, of which
   * each has its limit.
   *
   * @throws TerraceException when the group is gone
   */
  public Transfer transfer() {
    try {
      long read = 0;
      long written = 0;
      for (String line : Files.readAllLines(folder.resolve("blkio.throttle.io_service_bytes"))) {
        String[] words = line.split(" ", -1);
        if (words.length == 3 && words[1].equals("Read")) {
          read += Long.parseLong(words[2]);
        } else if (words.length == 3 && words[1].equals("Write")) {
          written += Long.parseLong(words[2]);
        }
      }
      return new Transfer(read, written);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the storage statistics of %s cannot be read: %s".formatted(folder, e.getMessage()),
          e);
    }
  }

  /**
   * Bytes that went from storage and to it. Immutable.
   *
   * @param readBytes those read
   * @param writtenBytes those written
   */
  public record Transfer(long readBytes, long writtenBytes) {}

  /** Removes the group, whose processes are to be ended before; else it stays for the next run. */
  @Override
  public void close() {
    GroupFolders.remove(folder);
  }
}
