package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The quota of processor time that a process has with the rest of its control group, or of one
 * above it, whichever is the least. A JVM counts processors, and so rounds it up. Stateless.
 *
 * <p>Source: Linux kernel documentation, "CFS Bandwidth Control" (scheduler/sched-bwc) and "Control
 * Group v2" (admin-guide/cgroup-v2).
 */
public final class ProcessorQuota {
  private static final Path SELF = Path.of("/proc/self");
  private static final String UNKNOWN = "";

  /** The quotas of groups that have none, in both versions, and of which none can be read. */
  private static final Set<String> NONE = Set.of("max", "-1", UNKNOWN);

  private ProcessorQuota() {}

  /** The quota of this process in cores; empty where it has none, or none can be read. */
  public static OptionalDouble ofThisProcess() {
    return of(SELF);
  }

  /** The quota in cores of the process whose folder in procfs this is. */
  static OptionalDouble of(Path self) {
    try {
      return CpuControllers.groups(self).stream()
          .flatMapToDouble(place -> ofGroup(place).stream())
          .min();
    } catch (IOException | NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  private static OptionalDouble ofGroup(CpuControllers.Place place) {
    List<String> words =
        place.isOfVersion2()
            ? KernelFile.words(place.group().resolve("cpu.max"))
            : List.of(
                number(place.group().resolve("cpu.cfs_quota_us")),
                number(place.group().resolve("cpu.cfs_period_us")));
    if (words.size() != 2 || NONE.contains(words.getFirst())) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        (double) Long.parseLong(words.getFirst()) / Long.parseLong(words.getLast()));
  }

  private static String number(Path file) {
    return KernelFile.words(file).stream().findFirst().orElse(UNKNOWN);
  }
}
