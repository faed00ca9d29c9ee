package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.monitor.GroupUse;

/**
 * A kernel control group that limits the processor time of one server: all its processes and
 * threads together. Made by {@link CpuLimits}. Thread-safe.
 */
public final class ControlGroup implements AutoCloseable, GroupUse {
  private static final String JOIN_AND_EXECUTE = "echo $$ >\"$0\" || exit 126; exec \"$@\"";

  private final CpuController controller;
  private final Path folder;
  private final CpuLimit limit;

  ControlGroup(CpuController controller, Path folder, CpuLimit limit) {
    this.controller = controller;
    this.folder = folder;
    this.limit = limit;
  }

  /** The period in which the group may use its processor time, in microseconds. */
  public long periodMicros() {
    return limit.periodMicros();
  }

  /** The group's folder in the control group file system. */
  public Path folder() {
    return folder;
  }

  /**
   * A command that joins the group and then becomes the given command, with the same process id, so
   * that no instruction of the server runs unlimited. It ends with 126 when joining is refused. To
   * change the user as well, change it inside: the given command is the one that does.
   */
  public List<String> command(List<String> command) {
    return joining(folder, command);
  }

  /** A command that joins the group of a folder and then becomes the given command. */
  static List<String> joining(Path folder, List<String> command) {
    List<String> whole = new ArrayList<>();
    whole.addAll(List.of("sh", "-c", JOIN_AND_EXECUTE));
    whole.add(folder.resolve(CpuController.PROCESSES).toString());
    whole.addAll(command);
    return List.copyOf(whole);
  }

  /**
   * Moves a running process, with all its threads, into the group.
   *
   * @throws TerraceException when the kernel refuses
   */
  public void add(long pid) {
    try {
      KernelFile.write(folder.resolve(CpuController.PROCESSES), Long.toString(pid));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "process %d cannot be moved into %s: %s".formatted(pid, folder, e.getMessage()),
          e);
    }
  }

  /**
   * Lets the server use all processors until {@link #enforce}.
   *
   * @throws TerraceException when the kernel refuses
   */
  public void suspend() {
    change("lifted", () -> controller.unlimit(folder));
  }

  /**
   * Puts the limit in force, as it is when the group is made.
   *
   * @throws TerraceException when the kernel refuses
   */
  public void enforce() {
    change("put in force", () -> controller.limit(folder, limit));
  }

  /**
   * Puts a part of the limit in force, as if the server's processors ran that much slower.
   *
   * @param share the part, above 0 and at most 1
   * @throws TerraceException when the kernel refuses
   */
  public void enforce(double share) {
    CpuLimit part = CpuLimit.cores(limit.quotaMicros() * share / limit.periodMicros());
    change("put in force", () -> controller.limit(folder, part));
  }

  private interface Change {
    void make() throws IOException;
  }

  private void change(String what, Change change) {
    try {
      change.make();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the CPU limit in %s cannot be %s: %s".formatted(folder, what, e.getMessage()),
          e);
    }
  }

  /**
   * The counts of how often the server was held back since the group was made.
   *
   * @throws TerraceException when the group is gone
   */
  public CpuThrottling throttling() {
    try {
      return controller.throttling(folder);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the CPU statistics of %s cannot be read: %s".formatted(folder, e.getMessage()),
          e);
    }
  }

  @Override
  public OptionalLong usedNanos() {
    return controller.usedNanos(folder);
  }

  @Override
  public List<Long> processes() {
    return GroupFolders.processes(folder);
  }

  /**
   * Removes the group. Its processes are to be ended before; a group that still has some stays, and
   * {@link CpuLimits#close} or the next run removes it.
   */
  @Override
  public void close() {
    GroupFolders.remove(folder);
  }
}
