package org.terrace.nodes.monitor;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Sample;

/**
 * Reads what the whole machine uses; of its processors those count alone that this process may use.
 * Confined to one thread.
 */
final class MachineSampler {
  private static final Path STAT = Path.of("/proc/stat");
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path MEMORY = Path.of("/proc/meminfo");

  /** The fields of a processor's line in /proc/stat: user, nice, system, idle, iowait, ... */
  private static final int IDLE = 3;

  private static final int WAIT = 4;
  private static final int STEAL = 7;
  private static final double NANOS_PER_MICRO = 1e3;

  private static final Map<String, Path> PRESSURES =
      Map.of(
          Resources.CPU_PRESSURE,
          Path.of("/proc/pressure/cpu"),
          Resources.STORAGE_PRESSURE,
          Path.of("/proc/pressure/io"),
          Resources.MEMORY_PRESSURE,
          Path.of("/proc/pressure/memory"));

  private final Map<String, Long> pressureMicros = new HashMap<>();
  private long pressureNanos;
  private @Nullable ProcessorTicks before;

  void read(long epochNanos, Consumer<Sample> samples) {
    ProcessorTicks now = ProcessorTicks.read(STAT, STATUS).orElse(null);
    if (now != null && before != null && now.processors().equals(before.processors())) {
      processors(epochNanos, now, before, samples);
    }
    before = now;
    pressures(epochNanos, samples);
    Map<String, Long> memory = ProcFiles.numbers(MEMORY).orElse(Map.of());
    if (memory.containsKey("MemTotal") && memory.containsKey("MemAvailable")) {
      long used = memory.get("MemTotal") - memory.get("MemAvailable");
      samples.accept(sample(Resources.MEMORY_BYTES, epochNanos, used * 1024.0));
    }
  }

  private static void processors(
      long epochNanos, ProcessorTicks now, ProcessorTicks before, Consumer<Sample> samples) {
    long[] spent = new long[ProcessorTicks.FIELDS];
    Arrays.setAll(spent, field -> now.ticks()[field] - before.ticks()[field]);
    double total = Arrays.stream(spent).sum();
    if (total <= 0) {
      return;
    }
    double used = total - spent[IDLE] - spent[WAIT] - spent[STEAL];
    samples.accept(sample(Resources.CPU_UTILISATION, epochNanos, used / total));
    samples.accept(sample(Resources.CPU_WAIT, epochNanos, spent[WAIT] / total));
    samples.accept(sample(Resources.CPU_STEAL, epochNanos, spent[STEAL] / total));
    samples.accept(sample(Resources.PROCESSORS, epochNanos, now.processors().cardinality()));
  }

  /** The kernel counts microseconds for which something stood still: /proc/pressure. */
  private void pressures(long epochNanos, Consumer<Sample> samples) {
    PRESSURES.forEach((resource, file) -> {
      long micros = ProcFiles.total(file).orElse(-1L);
      Long last = pressureMicros.put(resource, micros);
      double interval = (epochNanos - pressureNanos) / NANOS_PER_MICRO;
      if (micros >= 0 && last != null && last >= 0 && interval > 0) {
        double share = Math.clamp((micros - last) / interval, 0.0, 1.0);
        samples.accept(sample(resource, epochNanos, share));
      }
    });
    pressureNanos = epochNanos;
  }

  private static Sample sample(String resource, long epochNanos, double value) {
    return new Sample(Resources.MACHINE, resource, epochNanos, value);
  }
}
