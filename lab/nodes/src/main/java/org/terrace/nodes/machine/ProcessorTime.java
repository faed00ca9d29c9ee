package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringTokenizer;
import org.terrace.nodes.ProcessStat;

/**
 * The processor time of processes by the kernel's scheduler statistics, which are exact where those
 * of {@code /proc/PID/stat} count ticks of 10 ms. Stateless.
 *
 * <p>Source: Linux kernel documentation, "Scheduler Statistics" (scheduler/sched-stats).
 */
final class ProcessorTime {
  private static final long TICK_NANOS = 1_000_000_000L / ProcessStat.TICKS_PER_SECOND;

  private ProcessorTime() {}

  /** The time of all threads of the processes, in nanoseconds; what has ended counts no more. */
  static long nanos(List<Long> processes) {
    long nanos = 0;
    for (long process : processes) {
      nanos += nanos(process);
    }
    return nanos;
  }

  private static long nanos(long process) {
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
