package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The two interfaces of the kernel's CPU controller; each knows the files of its version.
 *
 * <p>Source: Linux kernel documentation, "CFS Bandwidth Control" (scheduler/sched-bwc) and "Control
 * Group v2" (admin-guide/cgroup-v2). Immutable.
 */
sealed interface CpuController {
  String PROCESSES = "cgroup.procs";

  /** The group under which groups of this run may be made. */
  Path parent();

  /** Lets groups below a group be limited. */
  void permitChildren(Path group) throws IOException;

  /** Limits a group. */
  void limit(Path group, CpuLimit limit) throws IOException;

  /** Lets a group use all processors. */
  void unlimit(Path group) throws IOException;

  /** The counts of the times that a group was held back. */
  CpuThrottling throttling(Path group) throws IOException;

  /**
   * The processor time in nanoseconds that all have used who were ever in a group; empty where it
   * is not counted there, as in version 1 where {@code cpuacct} is mounted elsewhere.
   */
  OptionalLong usedNanos(Path group);

  /** A hierarchy of version 1 that has the controller. */
  record Version1(Path parent) implements CpuController {
    @Override
    public void permitChildren(Path group) {}

    @Override
    public void limit(Path group, CpuLimit limit) throws IOException {
      KernelFile.write(group.resolve("cpu.cfs_period_us"), Long.toString(limit.periodMicros()));
      KernelFile.write(group.resolve("cpu.cfs_quota_us"), Long.toString(limit.quotaMicros()));
    }

    @Override
    public void unlimit(Path group) throws IOException {
      KernelFile.write(group.resolve("cpu.cfs_quota_us"), "-1");
    }

    @Override
    public CpuThrottling throttling(Path group) throws IOException {
      List<String> lines = Files.readAllLines(group.resolve("cpu.stat"));
      return new CpuThrottling(
          KernelFile.field(lines, "nr_periods"),
          KernelFile.field(lines, "nr_throttled"),
          KernelFile.field(lines, "throttled_time"));
    }

    @Override
    public OptionalLong usedNanos(Path group) {
      return KernelFile.words(group.resolve("cpuacct.usage")).stream()
          .mapToLong(Long::parseLong)
          .findFirst();
    }
  }

  /** The one hierarchy of version 2. */
  record Version2(Path parent) implements CpuController {
    private static final long NANOS_A_MICRO = 1000;

    @Override
    public void permitChildren(Path group) throws IOException {
      Path control = group.resolve("cgroup.subtree_control");
      if (!KernelFile.words(control).contains("cpu")) {
        KernelFile.write(control, "+cpu");
      }
    }

    @Override
    public void limit(Path group, CpuLimit limit) throws IOException {
      KernelFile.write(group.resolve("cpu.max"), limit.quotaMicros() + " " + limit.periodMicros());
    }

    @Override
    public void unlimit(Path group) throws IOException {
      KernelFile.write(group.resolve("cpu.max"), "max");
    }

    @Override
    public CpuThrottling throttling(Path group) throws IOException {
      List<String> lines = Files.readAllLines(group.resolve("cpu.stat"));
      return new CpuThrottling(
          KernelFile.field(lines, "nr_periods"),
          KernelFile.field(lines, "nr_throttled"),
          KernelFile.field(lines, "throttled_usec") * NANOS_A_MICRO);
    }

    @Override
    public OptionalLong usedNanos(Path group) {
      List<String> words = KernelFile.words(group.resolve("cpu.stat"));
      int name = words.indexOf("usage_usec");
      return name < 0 || name + 1 >= words.size()
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(words.get(name + 1)) * NANOS_A_MICRO);
    }
  }
}
