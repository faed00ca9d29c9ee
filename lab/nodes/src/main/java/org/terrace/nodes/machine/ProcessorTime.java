package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringTokenizer;
import org.terrace.core.process.ProcessStat;
import org.terrace.nodes.monitor.GroupUse;

/**
 * The processor time of a server: that of its control group where the kernel counts it there,
 * otherwise that of its processes by the kernel's scheduler statistics, which are exact where those
 * of {@code /proc/PID/stat} count ticks of 10 ms. Stateless.
 *
 * <p>Source: Linux kernel documentation, "Scheduler Statistics" (scheduler/sched-stats).
 */
final class ProcessorTime {
  private static final long TICK_NANOS = 1_000_000_000L / ProcessStat.TICKS_PER_SECOND;

  private ProcessorTime() {}

  /**
   * The time in nanoseconds of all that is in the group, and of the given processes beside it. By
   * the processes, what has ended counts if one of them has reaped it.
   */
  static long nanos(GroupUse group, List<Long> processes) {
    OptionalLong used = group.usedNanos();
    if (used.isPresent()) {
      return used.getAsLong();
    }
    Set<Long> all = new LinkedHashSet<>(processes);
    all.addAll(group.processes());
    return all.stream().mapToLong(ProcessorTime::nanos).sum();
  }

  private static long nanos(long process) {
    long reaped = ProcessStat.of(process).map(stat -> stat.reapedTicks() * TICK_NANOS).orElse(0L);
    return reaped + ownNanos(process);
  }

  private static long ownNanos(long process) {
    Path tasks = Path.of("/proc", Long.toString(process), "task");
    long nanos = 0;
    try (var threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        StringTokenizer fields = new StringTokenizer(Files.readString(thread.resolve("schedstat")));
        nanos += Long.parseLong(fields.nextToken());
      }
      return nanos;
    } catch (IOException | DirectoryIteratorException e) {
      // A kernel without these statistics, or a process that has ended.
      return ProcessStat.of(process).map(stat -> stat.cpuTicks() * TICK_NANOS).orElse(0L);
    }
  }
}
