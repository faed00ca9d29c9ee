package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.MemoryUse;

/**
 * A kernel control group that limits the memory of one server: that of its processes and of the
 * files that they have read and written, as long as the kernel keeps it. Made by {@link
 * MemoryLimits}. Thread-safe.
 *
 * <p>Source: Linux kernel documentation, "Memory Resource Controller" (cgroup-v1/memory) and
 * "Control Group v2" (admin-guide/cgroup-v2).
 */
public final class MemoryGroup implements AutoCloseable {
  private final Path folder;
  private final KernelFiles files;
  private final long limitBytes;

  MemoryGroup(Path folder, KernelFiles files, long limitBytes) {
    this.folder = folder;
    this.files = files;
    this.limitBytes = limitBytes;
  }

  /** The names of the kernel's files, which are others in each version of control groups. */
  record KernelFiles(String limit, String limitWithSwap, String use, String prefix) {
    static final KernelFiles VERSION_1 =
        new KernelFiles(
            "memory.limit_in_bytes",
            "memory.memsw.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_");
    static final KernelFiles VERSION_2 =
        new KernelFiles("memory.max", "memory.swap.max", "memory.current", "");

    /** Sets a limit; what is beyond it may not go to swap either, where there is some. */
    void set(Path folder, long bytes) throws IOException {
      KernelFile.write(folder.resolve(limit), Long.toString(bytes));
      Path withSwap = folder.resolve(limitWithSwap);
      Path swappiness = folder.resolve("memory.swappiness");
      if (Files.exists(withSwap)) {
        // Version 1 counts both together, version 2 swap alone.
        KernelFile.write(withSwap, equals(VERSION_1) ? Long.toString(bytes) : "0");
      } else if (Files.exists(swappiness)) {
        // A kernel that does not count swap: with 0, a group of version 1 is given none.
        KernelFile.write(swappiness, "0");
      }
    }
  }

  /** The group's folder in the control group file system. */
  public Path folder() {
    return folder;
  }

  /** The limit in bytes. */
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
   * The memory that the group has now.
   *
   * @throws TerraceException when the group is gone
   */
  public MemoryUse use() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("memory.stat"));
      long all = Long.parseLong(Files.readString(folder.resolve(files.use())).strip());
      long cache =
          KernelFile.field(lines, files.prefix() + "inactive_file")
              + KernelFile.field(lines, files.prefix() + "active_file");
      long faults = KernelFile.field(lines, files.prefix() + "pgmajfault");
      return new MemoryUse(Math.max(0, all - cache), cache, faults);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the memory statistics of %s cannot be read: %s".formatted(folder, e.getMessage()),
          e);
    }
  }

  /** Removes the group, whose processes are to be ended before; else it stays for the next run. */
  @Override
  public void close() {
    GroupFolders.remove(folder);
  }
}
