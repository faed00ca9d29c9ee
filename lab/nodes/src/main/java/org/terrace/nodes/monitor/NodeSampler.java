package org.terrace.nodes.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.terrace.core.process.ProcessStat;
import org.terrace.observation.Sample;

/**
 * Reads what the processes of one node use. The processor time is that of the node's control group,
 * where it has one in which the kernel counts it: no process that came and went is missed there,
 * and work that was put beside the node's own counts with it, as it takes of the same limit.
 * Elsewhere it comes from the processes, in ticks of 10 ms, so that a reading each second is exact
 * to 1 % of a core; that of a process between the last reading and its end then counts, as what it
 * read and wrote does, when its parent has reaped it. Confined to one thread.
 */
final class NodeSampler {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long TICK_NANOS = 1_000_000_000L / ProcessStat.TICKS_PER_SECOND;

  private final String name;
  private final double cores;
  private final Optional<? extends GroupUse> group;
  private final ReapedAccount cpu = new ReapedAccount();
  private final ReapedAccount readBytes = new ReapedAccount();
  private final ReapedAccount writtenBytes = new ReapedAccount();
  private OptionalLong groupBefore = OptionalLong.empty();
  private long beforeNanos;
  private boolean started;

  /**
   * @param cores the cores that the node may use
   * @param group its control group, if it has one
   */
  NodeSampler(String name, double cores, Optional<? extends GroupUse> group) {
    this.name = name;
    this.cores = cores;
    this.group = group;
  }

  /** Bytes since the reading before. */
  private record Bytes(long read, long written) {}

  /** Reads the given processes; the first reading yields only what needs no interval. */
  void read(List<Long> members, long elapsedNanos, long epochNanos, Consumer<Sample> samples) {
    List<ProcessStat> now = parentsFirst(members);
    long cpuNanos = cpuNanos(now);
    Optional<Bytes> bytes = bytes(now);
    long interval = elapsedNanos - beforeNanos;
    if (started && interval > 0) {
      double share = cpuNanos / (interval * cores);
      samples.accept(sample(Resources.CPU_UTILISATION, epochNanos, share));
      double seconds = interval / NANOS_PER_SECOND;
      bytes.ifPresent(all -> {
        samples.accept(sample(Resources.DISK_READ, epochNanos, all.read() / seconds));
        samples.accept(sample(Resources.DISK_WRITE, epochNanos, all.written() / seconds));
      });
    }
    samples.accept(sample(Resources.MEMORY_BYTES, epochNanos, memoryBytes(now)));
    beforeNanos = elapsedNanos;
    started = true;
  }

  /** The processor time since the reading before. */
  private long cpuNanos(List<ProcessStat> members) {
    OptionalLong used = group.map(GroupUse::usedNanos).orElse(OptionalLong.empty());
    OptionalLong before = groupBefore;
    groupBefore = used;
    if (used.isPresent()) {
      return used.getAsLong() - before.orElse(used.getAsLong());
    }
    List<ReapedAccount.Reading> readings =
        withGroup(members).stream().map(NodeSampler::processorTime).toList();
    return cpu.next(readings, NodeSampler::parentOf);
  }

  /** The processes with those of the group that are none of the node's own. */
  private List<ProcessStat> withGroup(List<ProcessStat> members) {
    if (group.isEmpty()) {
      return members;
    }
    Set<Long> all = new LinkedHashSet<>(group.get().processes());
    members.forEach(stat -> all.add(stat.pid()));
    return parentsFirst(all);
  }

  private Optional<Bytes> bytes(List<ProcessStat> members) {
    List<ReapedAccount.Reading> read = new ArrayList<>();
    List<ReapedAccount.Reading> written = new ArrayList<>();
    for (ProcessStat stat : members) {
      Optional<Map<String, Long>> numbers =
          ProcFiles.numbers(Path.of("/proc/" + stat.pid() + "/io"));
      if (numbers.isPresent()) {
        read.add(reading(stat, numbers.get().getOrDefault("read_bytes", 0L)));
        written.add(reading(stat, numbers.get().getOrDefault("write_bytes", 0L)));
      } else if (stat.isAlive() && isThere(stat)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new Bytes(
            readBytes.next(read, NodeSampler::parentOf),
            writtenBytes.next(written, NodeSampler::parentOf)));
  }

  private static ReapedAccount.Reading processorTime(ProcessStat stat) {
    long reaped = stat.reapedTicks() * TICK_NANOS;
    long total = stat.cpuTicks() * TICK_NANOS + reaped;
    return new ReapedAccount.Reading(stat.pid(), stat.startTicks(), stat.parent(), total, reaped);
  }

  private static ReapedAccount.Reading reading(ProcessStat stat, long total) {
    return new ReapedAccount.Reading(stat.pid(), stat.startTicks(), stat.parent(), total);
  }

  private static List<ProcessStat> parentsFirst(Collection<Long> members) {
    return members.stream()
        .flatMap(pid -> ProcessStat.of(pid).stream())
        .sorted(
            Comparator.comparingLong(ProcessStat::startTicks).thenComparingLong(ProcessStat::pid))
        .toList();
  }

  /** The parent of a process that ended and that nobody has reaped; empty when it was reaped. */
  private static OptionalLong parentOf(ReapedAccount.Reading gone) {
    return ProcessStat.of(gone.pid())
        .filter(stat -> stat.startTicks() == gone.startTicks())
        .map(stat -> OptionalLong.of(stat.parent()))
        .orElseGet(OptionalLong::empty);
  }

  private static boolean isThere(ProcessStat process) {
    return ProcessStat.of(process.pid())
        .filter(stat -> stat.startTicks() == process.startTicks())
        .isPresent();
  }

  private Sample sample(String resource, long epochNanos, double value) {
    return new Sample(name, resource, epochNanos, value);
  }

  /**
   * Each process's own memory, and of files and shared segments, which processes of one program
   * mostly have in common, the largest.
   */
  private static double memoryBytes(List<ProcessStat> members) {
    long own = 0;
    long files = 0;
    long shared = 0;
    for (ProcessStat stat : members) {
      Map<String, Long> status =
          ProcFiles.numbers(Path.of("/proc/" + stat.pid() + "/status")).orElse(Map.of());
      own += status.getOrDefault("RssAnon", 0L);
      files = Math.max(files, status.getOrDefault("RssFile", 0L));
      shared = Math.max(shared, status.getOrDefault("RssShmem", 0L));
    }
    return (own + files + shared) * 1024.0;
  }
}
