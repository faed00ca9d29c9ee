package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

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
  private final String server;
  private final Path folder;
  private final long limitBytes;
  private final BiConsumer<Path, String> writeFirstAtEnd;
  private final TimeSource time;
  private @Nullable String device;

  private DiskGroup(
      String server,
      Path folder,
      long limitBytes,
      BiConsumer<Path, String> writeFirstAtEnd,
      TimeSource time) {
    this.server = server;
    this.folder = folder;
    this.limitBytes = limitBytes;
    this.writeFirstAtEnd = writeFirstAtEnd;
    this.time = time;
  }

  /**
   * Makes the group of a server, whose limit is not in force yet.
   *
   * @param limitBytes the most that is read a second, and the most that is written
   * @param writeFirstAtEnd told of each line, and of the kernel's file, that lifts the limit when
   *     this process dies
   * @throws TerraceException if this machine cannot do it, with the reason
   */
  static DiskGroup make(
      String server, long limitBytes, BiConsumer<Path, String> writeFirstAtEnd, TimeSource time) {
    return make(server, limitBytes, writeFirstAtEnd, time, DiskLimit.BLKIO);
  }

  static DiskGroup make(
      String server,
      long limitBytes,
      BiConsumer<Path, String> writeFirstAtEnd,
      TimeSource time,
      Path hierarchy) {
    try {
      DiskLimit.requireController(hierarchy);
      DiskLimit.removeLeftovers(hierarchy);
      Path folder = hierarchy.resolve(GroupFolders.runName(DiskLimit.NUMBER.incrementAndGet()));
      Files.createDirectory(folder);
      return new DiskGroup(server, folder, limitBytes, writeFirstAtEnd, time);
    } catch (IOException e) {
      throw refusal(server, KernelFile.why(e), e);
    }
  }

  private static TerraceException refusal(String server, String why, Exception cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the storage of %s cannot be limited here (%s); it takes root, control groups of version 1 with the controller blkio, and data on a disk: take 'disk' out of its limits, or run where these are"
            .formatted(server, why),
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
   * server works, and half a second of reads.
   *
   * @param members the server's processes; where the first that is still there works, its data are
   * @throws TerraceException if one of them is not held back, or the kernel refuses
   */
  public synchronized void enforce(List<Long> members) {
    try {
      Path data = DiskLimit.data(members);
      String found = DiskLimit.device(data);
      if (device == null) {
        // Else who waits for storage when its run is killed would wait out what it has asked for.
        DiskLimit.lifting(folder, found).forEach(writeFirstAtEnd);
      }
      device = found;
      DiskLimit.set(folder, found, limitBytes);
      StorageProof.of(data, limitBytes)
          .run(".terrace-probe-" + folder.getFileName(), this::command, this, time);
    } catch (IOException e) {
      throw refusal(server, KernelFile.why(e), e);
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
        throw refusal(server, KernelFile.why(e), e);
      }
    }
  }

  /**
   * The bytes that the group has read and those that it has written since it was made, each of
   * which has its limit: of the limited device alone, once the limit has been in force.
   *
   * @throws TerraceException when the group is gone
   */
  public synchronized Transfer transfer() {
    try {
      long read = 0;
      long written = 0;
      for (String line : Files.readAllLines(folder.resolve("blkio.throttle.io_service_bytes"))) {
        String[] words = line.strip().split(" ", -1);
        boolean counts = words.length == 3 && (device == null || words[0].equals(device));
        if (counts && words[1].equals("Read")) {
          read += Long.parseLong(words[2]);
        } else if (counts && words[1].equals("Write")) {
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
