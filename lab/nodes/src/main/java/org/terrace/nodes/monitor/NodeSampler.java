package org.terrace.nodes.monitor;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.terrace.nodes.ProcessStat;
import org.terrace.observation.Sample;

/**
 * Reads what the processes of one node use. CPU time comes in ticks of 10 ms, so that a reading
 * each second is exact to 1 % of a core. What a process used between the last reading and its end
 * is missed. Confined to one thread.
 */
final class NodeSampler {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double TICKS_PER_NANO = ProcessStat.TICKS_PER_SECOND / NANOS_PER_SECOND;

  /** The resources that one process had used in all when it was last read. */
  private record Usage(long startTicks, long cpuTicks, long readBytes, long writtenBytes) {}

  private final String name;
  private final double cores;
  private Map<Long, Usage> before = new HashMap<>();
  private long beforeNanos;
  private boolean started;

  /**
   * @param cores the cores that the node may use
   */
  NodeSampler(String name, double cores) {
    this.name = name;
    this.cores = cores;
  }

  /** Reads the given processes; the first reading yields only what needs no interval. */
  void read(List<Long> members, long elapsedNanos, long epochNanos, Consumer<Sample> samples) {
    Map<Long, Usage> now = new HashMap<>();
    long cpuTicks = 0;
    long readBytes = 0;
    long writtenBytes = 0;
    boolean diskKnown = true;
    for (long pid : members) {
      Optional<ProcessStat> stat = ProcessStat.of(pid);
      if (stat.isEmpty()) {
        continue;
      }
      Optional<Map<String, Long>> disk = ProcFiles.numbers(Path.of("/proc/" + pid + "/io"));
      diskKnown &= disk.isPresent();
      Usage usage =
          new Usage(
              stat.get().startTicks(),
              stat.get().cpuTicks(),
              disk.map(numbers -> numbers.getOrDefault("read_bytes", 0L)).orElse(0L),
              disk.map(numbers -> numbers.getOrDefault("write_bytes", 0L)).orElse(0L));
      now.put(pid, usage);
      Usage last = before.get(pid);
      if (last == null || last.startTicks() != usage.startTicks()) {
        last = new Usage(usage.startTicks(), 0, 0, 0);
      }
      cpuTicks += usage.cpuTicks() - last.cpuTicks();
      readBytes += usage.readBytes() - last.readBytes();
      writtenBytes += usage.writtenBytes() - last.writtenBytes();
    }
    long interval = elapsedNanos - beforeNanos;
    if (started && interval > 0) {
      double share = cpuTicks / (interval * TICKS_PER_NANO * cores);
      samples.accept(sample(Resources.CPU_UTILISATION, epochNanos, share));
      if (diskKnown) {
        double seconds = interval / NANOS_PER_SECOND;
        samples.accept(sample(Resources.DISK_READ, epochNanos, readBytes / seconds));
        samples.accept(sample(Resources.DISK_WRITE, epochNanos, writtenBytes / seconds));
      }
    }
    samples.accept(sample(Resources.MEMORY_BYTES, epochNanos, memoryBytes(now.keySet())));
    before = now;
    beforeNanos = elapsedNanos;
    started = true;
  }

  private Sample sample(String resource, long epochNanos, double value) {
    return new Sample(name, resource, epochNanos, value);
  }

  /**
   * Each process's own memory, and of files and shared segments, which processes of one program
   * mostly have in common, the largest.
   */
  private static double memoryBytes(Iterable<Long> members) {
    long own = 0;
    long files = 0;
    long shared = 0;
    for (long pid : members) {
      Map<String, Long> status =
          ProcFiles.numbers(Path.of("/proc/" + pid + "/status")).orElse(Map.of());
      own += status.getOrDefault("RssAnon", 0L);
      files = Math.max(files, status.getOrDefault("RssFile", 0L));
      shared = Math.max(shared, status.getOrDefault("RssShmem", 0L));
    }
    return (own + files + shared) * 1024.0;
  }
}
