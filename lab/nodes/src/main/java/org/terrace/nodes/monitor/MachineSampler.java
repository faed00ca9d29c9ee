package org.terrace.nodes.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.function.Consumer;
import org.terrace.observation.Sample;

/** Reads what the whole machine uses. Confined to one thread. */
final class MachineSampler {
  private static final Path STAT = Path.of("/proc/stat");
  private static final Path MEMORY = Path.of("/proc/meminfo");

  /** The fields of the first line of /proc/stat: user, nice, system, idle, iowait, ... */
  private static final int IDLE = 3;

  private static final int WAIT = 4;
  private static final int STEAL = 7;
  private static final int FIELDS = 8;

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
  private long[] before = new long[FIELDS];
  private boolean started;

  void read(long epochNanos, Consumer<Sample> samples) {
    long[] now = ticks();
    long total = 0;
    for (int field = 0; field < FIELDS; field++) {
      total += now[field] - before[field];
    }
    if (started && total > 0) {
      double unused =
          now[IDLE] - before[IDLE] + now[WAIT] - before[WAIT] + now[STEAL] - before[STEAL];
      samples.accept(sample(Resources.CPU_UTILISATION, epochNanos, (total - unused) / total));
      samples.accept(
          sample(Resources.CPU_WAIT, epochNanos, (double) (now[WAIT] - before[WAIT]) / total));
      samples.accept(
          sample(Resources.CPU_STEAL, epochNanos, (double) (now[STEAL] - before[STEAL]) / total));
    }
    pressures(epochNanos, samples);
    before = now;
    started = true;
    Map<String, Long> memory = ProcFiles.numbers(MEMORY).orElse(Map.of());
    if (memory.containsKey("MemTotal") && memory.containsKey("MemAvailable")) {
      long used = memory.get("MemTotal") - memory.get("MemAvailable");
      samples.accept(sample(Resources.MEMORY_BYTES, epochNanos, used * 1024.0));
    }
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

  private static long[] ticks() {
    long[] ticks = new long[FIELDS];
    try (var lines = Files.lines(STAT, StandardCharsets.US_ASCII)) {
      StringTokenizer fields = new StringTokenizer(lines.findFirst().orElse("cpu"));
      fields.nextToken();
      for (int field = 0; field < FIELDS && fields.hasMoreTokens(); field++) {
        ticks[field] = Long.parseLong(fields.nextToken());
      }
    } catch (IOException e) {
      return ticks; // no /proc: the machine has no readings then
    }
    return ticks;
  }
}
