package org.terrace.nodes.machine;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The checks that there is enough of what a run uses up. Stateless. */
final class ResourceChecks {
  private static final int JAVA_FEATURE = 25;
  private static final int CORES = 2;
  private static final long MEMORY_BYTES = 3L << 30;
  private static final long OPEN_FILES = 16_384;
  private static final String SUITE = "the quickstart: four servers, their load and the capture";

  private ResourceChecks() {}

  static List<Callable<MachineCheck>> all(MachineFacts facts) {
    return List.of(
        () -> java(facts),
        () -> cores(facts),
        () -> memory(facts),
        ResourceChecks::openFiles,
        ResourceChecks::cpuLimits);
  }

  private static MachineCheck java(MachineFacts facts) {
    String goodFor = "everything";
    return Runtime.version().feature() >= JAVA_FEATURE
        ? MachineCheck.present("Java 25 or newer", facts.java(), goodFor)
        : MachineCheck.required(
            "Java 25 or newer",
            facts.java(),
            goodFor,
            Optional.of("sudo apt-get install openjdk-25-jdk"));
  }

  private static MachineCheck cores(MachineFacts facts) {
    String detail = facts.cores() + " cores, " + facts.cpu();
    return facts.cores() >= CORES
        ? MachineCheck.present("processor", detail, SUITE)
        : MachineCheck.optional(
            "processor", detail + ": servers will wait for each other", SUITE, Optional.empty());
  }

  private static MachineCheck memory(MachineFacts facts) {
    long available = MachineFacts.availableMemory();
    String detail =
        "%.1f GB available of %.1f GB"
            .formatted(gigabytes(available), gigabytes(facts.memoryBytes()));
    return available >= MEMORY_BYTES
        ? MachineCheck.present("memory", detail, SUITE)
        : MachineCheck.optional(
            "memory",
            detail + ": expected %.1f GB or more".formatted(gigabytes(MEMORY_BYTES)),
            SUITE,
            Optional.empty());
  }

  private static MachineCheck openFiles() {
    String goodFor = "one connection for each emulated user";
    long limit =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : 0;
    return limit >= OPEN_FILES
        ? MachineCheck.present("open files", "up to " + limit, goodFor)
        : MachineCheck.optional(
            "open files",
            "up to %d: expected %d for 13,000 users".formatted(limit, OPEN_FILES),
            goodFor,
            Optional.of("ulimit -n " + OPEN_FILES));
  }

  private static MachineCheck cpuLimits() {
    String goodFor = "CPU limits for each server (cgroup v1 or v2)";
    try (CpuLimits limits = CpuLimits.open()) {
      Optional<String> warning = limits.warning();
      if (warning.isEmpty()) {
        return MachineCheck.present("CPU limits", limits.description(), goodFor);
      }
      return MachineCheck.optional("CPU limits", warning.get(), goodFor, limits.remedy());
    }
  }

  private static double gigabytes(long bytes) {
    return bytes / (double) (1 << 30);
  }
}
