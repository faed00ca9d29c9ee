package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.machine.MemoryGroup.KernelFiles;

/**
 * The memory limits of one run's servers, by control groups of version 1 or 2, whichever this
 * machine has. The first limit also removes the groups of runs that died. Thread-safe.
 */
public final class MemoryLimits implements AutoCloseable {
  private static final String MEMORY = "memory";
  private static final long PROBE_BYTES = 64L << 20;
  private static final Path SELF = Path.of("/proc/self");

  private final Path self;
  private @Nullable Place place;

  /** The folder with the groups of this run, and the names of their files. */
  private record Place(Path run, KernelFiles files) {}

  /** The limits of a run that has none yet. */
  public MemoryLimits() {
    this(SELF);
  }

  MemoryLimits(Path self) {
    this.self = self;
  }

  /** The reason why no server's memory can be limited here; empty when it can. */
  public static Optional<String> refusal() {
    try (MemoryLimits limits = new MemoryLimits()) {
      limits.limit("probe", PROBE_BYTES, Optional.empty()).close();
      return Optional.empty();
    } catch (TerraceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Makes the group of a server, whose limit is in force at once.
   *
   * @param server letters, digits, dots, dashes and underscores
   * @param processor the group that limits its processor time; where both are of version 2, which
   *     gives a process one group, it is limited too
   * @throws TerraceException when this machine does not permit it, with the reasons
   */
  public synchronized MemoryGroup limit(
      String server, long bytes, Optional<ControlGroup> processor) {
    try {
      Optional<Path> shared =
          processor
              .map(ControlGroup::folder)
              .filter(folder -> Files.exists(folder.resolve("cgroup.controllers")));
      if (shared.isPresent()) {
        Path folder = shared.get();
        Path run = Objects.requireNonNull(folder.getParent());
        permit(Objects.requireNonNull(run.getParent()));
        permit(run);
        KernelFiles.VERSION_2.set(folder, bytes);
        return new MemoryGroup(folder, KernelFiles.VERSION_2, bytes);
      }
      Place where = place == null ? open() : place;
      place = where;
      Path folder = where.run().resolve(server);
      Files.createDirectory(folder);
      where.files().set(folder, bytes);
      return new MemoryGroup(folder, where.files(), bytes);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the memory of %s cannot be limited here (%s); it takes root or a delegated control group (sudo systemd-run --scope --uid=$(id -u) -p Delegate=yes ./terrace run SPECIFICATION)"
              .formatted(server, KernelFile.why(e)),
          e);
    }
  }

  private Place open() throws IOException {
    List<String> refusals = new ArrayList<>();
    for (CpuControllers.Place candidate : CpuControllers.places(self, MEMORY)) {
      Path run =
          candidate.group().resolve(GroupFolders.runName(CpuLimits.NUMBER.incrementAndGet()));
      try {
        for (Path dead : GroupFolders.ofDeadRuns(candidate.group())) {
          GroupFolders.remove(dead);
        }
        Files.createDirectory(run);
        if (candidate.isOfVersion2()) {
          permit(candidate.group());
          permit(run);
        }
        return new Place(
            run, candidate.isOfVersion2() ? KernelFiles.VERSION_2 : KernelFiles.VERSION_1);
      } catch (IOException e) {
        GroupFolders.remove(run);
        refusals.add(KernelFile.why(e));
      }
    }
    throw new IOException(
        refusals.isEmpty()
            ? "no control groups with the memory controller are mounted"
            : String.join("; ", refusals));
  }

  private static void permit(Path group) throws IOException {
    Path control = group.resolve("cgroup.subtree_control");
    if (!KernelFile.words(control).contains(MEMORY)) {
      KernelFile.write(control, "+" + MEMORY);
    }
  }

  /** Removes all groups of this run that have no processes any more. */
  @Override
  public synchronized void close() {
    if (place != null) {
      GroupFolders.remove(place.run());
    }
  }
}
