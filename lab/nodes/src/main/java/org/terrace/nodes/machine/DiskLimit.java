package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ProcessStat;

/**
 * A limit to what a server's storage takes and gives a second, by the kernel's control groups of
 * version 1, where the device's queue obeys them. It holds what a server reads and what it waits
 * for to be written, as a database does at each commit; what the kernel writes back of its own
 * accord is not held. Confined to one thread.
 *
 * <p>Source: Linux kernel documentation, "Block IO Controller" (cgroup-v1/blkio-controller).
 */
public final class DiskLimit implements AutoCloseable {
  static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");
  private static final String READ_LIMIT = "blkio.throttle.read_bps_device";
  private static final String WRITE_LIMIT = "blkio.throttle.write_bps_device";
  static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int MINOR_BITS = 8;
  private static final int MINOR_MASK = 0xff;
  private static final int HIGH_MINOR_SHIFT = 12;
  private static final int MAJOR_MASK = 0xfff;
  private static final int MINOR_HIGH_MASK = 0xfff00;

  private final Path folder;
  private final String device;

  private DiskLimit(Path folder, String device) {
    this.folder = folder;
    this.device = device;
  }

  /**
   * The limit for a server, which is not in force yet.
   *
   * @param members its processes; where the first one that is still there works, its data are
   * @throws TerraceException if this machine cannot do it, with the reason
   */
  public static DiskLimit of(List<Long> members) {
    return of(members, BLKIO);
  }

  static DiskLimit of(List<Long> members, Path hierarchy) {
    try {
      requireController(hierarchy);
      removeLeftovers(hierarchy);
      String device = device(data(members));
      Path folder = hierarchy.resolve(GroupFolders.runName(NUMBER.incrementAndGet()));
      Files.createDirectory(folder);
      return new DiskLimit(folder, device);
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /** The reason why no server's storage can be limited here; empty when it can. */
  public static Optional<String> refusal() {
    return refusal(BLKIO);
  }

  static Optional<String> refusal(Path hierarchy) {
    try {
      requireController(hierarchy);
      removeLeftovers(hierarchy);
      Path folder = hierarchy.resolve(GroupFolders.runName(NUMBER.incrementAndGet()));
      Files.createDirectory(folder);
      GroupFolders.remove(folder);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(KernelFile.why(e) + "; it takes root");
    }
  }

  static void requireController(Path hierarchy) throws IOException {
    if (!Files.exists(hierarchy.resolve(WRITE_LIMIT))) {
      throw new IOException(
          "no control groups of version 1 with the blkio controller in " + hierarchy);
    }
  }

  /** The groups of runs that died while their hold lasted; their servers died with them. */
  static void removeLeftovers(Path hierarchy) throws IOException {
    for (Path group : GroupFolders.ofDeadRuns(hierarchy)) {
      GroupFolders.remove(group);
    }
  }

  private static TerraceException refusal(IOException cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "slow-disk: storage cannot be held back here (%s)".formatted(KernelFile.why(cause)),
        cause);
  }

  /**
   * The folder in which the first process of a server that is still there works.
   *
   * @throws IOException if none is
   */
  static Path data(List<Long> members) throws IOException {
    for (long member : members) {
      try {
        return Path.of("/proc", Long.toString(member), "cwd").toRealPath();
      } catch (IOException e) {
        requireGone(member, e);
      }
    }
    throw new IOException("the server has no process");
  }

  /** Passes over the failure of what was done with a process that has ended meanwhile. */
  private static void requireGone(long process, IOException failure) throws IOException {
    if (ProcessStat.of(process).filter(ProcessStat::isAlive).isPresent()) {
      throw failure;
    }
  }

  /** The device with the queue: the whole disk, of which a file system may have a part. */
  static String device(Path data) throws IOException {
    long number = ((Number) Files.getAttribute(data, "unix:dev")).longValue();
    long major = (number >> MINOR_BITS) & MAJOR_MASK;
    long minor = (number & MINOR_MASK) | ((number >> HIGH_MINOR_SHIFT) & MINOR_HIGH_MASK);
    Path block = Path.of("/sys/dev/block", major + ":" + minor);
    if (!Files.exists(block)) {
      throw new IOException(
          data
              + " lies on no block device of its own (%d:%d), as in memory"
                  .formatted(major, minor));
    }
    Path real = block.toRealPath();
    Path whole =
        Files.exists(real.resolve("partition")) && real.getParent() != null
            ? real.getParent()
            : real;
    return Files.readString(whole.resolve("dev")).strip();
  }

  /** The group's folder. */
  public Path folder() {
    return folder;
  }

  /**
   * Puts it in force for processes, but those that have ended meanwhile, and what they start from
   * now on.
   *
   * @throws TerraceException when the kernel refuses
   */
  public void enforce(List<Long> members, long bytesPerSecond) {
    try {
      set(bytesPerSecond);
      for (long member : members) {
        try {
          KernelFile.write(folder.resolve(CpuController.PROCESSES), Long.toString(member));
        } catch (IOException e) {
          requireGone(member, e);
        }
      }
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /**
   * Lifts it; the processes stay in the group.
   *
   * @throws TerraceException when the kernel refuses
   */
  public void lift() {
    try {
      set(0);
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  private void set(long bytesPerSecond) throws IOException {
    set(folder, device, bytesPerSecond);
  }

  /** Sets what a group may read and write a second, each for itself; 0 lets it do all. */
  static void set(Path folder, String device, long bytesPerSecond) throws IOException {
    for (String file : List.of(READ_LIMIT, WRITE_LIMIT)) {
      KernelFile.write(folder.resolve(file), device + " " + bytesPerSecond);
    }
  }

  /** The lines that lift a group's limits on a device, by the kernel's file. */
  static Map<Path, String> lifting(Path folder, String device) {
    return Map.of(
        folder.resolve(READ_LIMIT), device + " 0", folder.resolve(WRITE_LIMIT), device + " 0");
  }

  /** The lines that lift this limit, by the kernel's file. */
  public Map<Path, String> lifting() {
    return lifting(folder, device);
  }

  /** Gives the processes back to the group above and removes this one. */
  @Override
  public void close() {
    Path parent = folder.getParent();
    if (parent != null) {
      for (String member : KernelFile.words(folder.resolve(CpuController.PROCESSES))) {
        giveBack(parent, member);
      }
    }
    GroupFolders.remove(folder);
  }

  /** A process that has ended meanwhile has left the group as well. */
  private static void giveBack(Path parent, String member) {
    try {
      KernelFile.write(parent.resolve(CpuController.PROCESSES), member);
    } catch (IOException e) {
      return;
    }
  }
}
