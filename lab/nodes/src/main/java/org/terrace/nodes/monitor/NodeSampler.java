package org.terrace.nodes.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.terrace.nodes.ProcessStat;
import org.terrace.observation.Sample;

/**
 * Reads what the processes of one node use. CPU time comes in ticks of 10 ms, so that a reading
 * each second is exact to 1 % of a core. The CPU time of a process between the last reading and its
 * end is missed; what it read and wrote then counts when its parent has reaped it. Confined to one
 * thread.
 */
final class NodeSampler {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double TICKS_PER_NANO = ProcessStat.TICKS_PER_SECOND / NANOS_PER_SECOND;

  private final String name;
  private final double cores;
  private final DiskAccount disk = new DiskAccount();
  private Map<Long, ProcessStat> before = new HashMap<>();
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
    Map<Long, ProcessStat> now = new LinkedHashMap<>();
    long cpuTicks = 0;
    for (ProcessStat stat : parentsFirst(members)) {
      now.put(stat.pid(), stat);
      ProcessStat last = before.get(stat.pid());
      cpuTicks += stat.cpuTicks() - (last != null && isSame(stat, last) ? last.cpuTicks() : 0);
    }
    Optional<DiskAccount.Bytes> bytes =
        diskReadings(now.values()).map(readings -> disk.next(readings, NodeSampler::parentOf));
    long interval = elapsedNanos - beforeNanos;
    if (started && interval > 0) {
      double share = cpuTicks / (interval * TICKS_PER_NANO * cores);
      samples.accept(sample(Resources.CPU_UTILISATION, epochNanos, share));
      double seconds = interval / NANOS_PER_SECOND;
      bytes.ifPresent(all -> {
        samples.accept(sample(Resources.DISK_READ, epochNanos, all.read() / seconds));
        samples.accept(sample(Resources.DISK_WRITE, epochNanos, all.written() / seconds));
      });
    }
    samples.accept(sample(Resources.MEMORY_BYTES, epochNanos, memoryBytes(now.keySet())));
    before = now;
    beforeNanos = elapsedNanos;
    started = true;
  }

  private static List<ProcessStat> parentsFirst(List<Long> members) {
    return members.stream()
        .flatMap(pid -> ProcessStat.of(pid).stream())
        .sorted(
            Comparator.comparingLong(ProcessStat::startTicks).thenComparingLong(ProcessStat::pid))
        .toList();
  }

  /**
   * The bytes that each had read and written; empty if those of one that is there cannot be read.
   */
  private static Optional<List<DiskAccount.Reading>> diskReadings(Iterable<ProcessStat> all) {
    List<DiskAccount.Reading> readings = new ArrayList<>();
    for (ProcessStat stat : all) {
      Optional<Map<String, Long>> numbers =
          ProcFiles.numbers(Path.of("/proc/" + stat.pid() + "/io"));
      if (numbers.isPresent()) {
        readings.add(
            new DiskAccount.Reading(
                stat.pid(),
                stat.startTicks(),
                stat.parent(),
                numbers.get().getOrDefault("read_bytes", 0L),
                numbers.get().getOrDefault("write_bytes", 0L)));
      } else if (stat.isAlive() && isThere(stat)) {
        return Optional.empty();
      }
    }
    return Optional.of(readings);
  }

  /** The parent of a process that ended and that nobody has reaped; empty when it was reaped. */
  private static OptionalLong parentOf(DiskAccount.Reading gone) {
    return ProcessStat.of(gone.pid())
        .filter(stat -> stat.startTicks() == gone.startTicks())
        .map(stat -> OptionalLong.of(stat.parent()))
        .orElseGet(OptionalLong::empty);
  }

  private static boolean isThere(ProcessStat process) {
    return ProcessStat.of(process.pid()).filter(stat -> isSame(stat, process)).isPresent();
  }

  private static boolean isSame(ProcessStat one, ProcessStat other) {
    return one.startTicks() == other.startTicks();
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
