package org.terrace.nodes.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
          sample(Resources.CPU_STEAL, epochNanos, (double) (now[STEAL] - before[STEAL]) / total));
    }
    before = now;
    started = true;
    Map<String, Long> memory = ProcFiles.numbers(MEMORY).orElse(Map.of());
    if (memory.containsKey("MemTotal") && memory.containsKey("MemAvailable")) {
      long used = memory.get("MemTotal") - memory.get("MemAvailable");
      samples.accept(sample(Resources.MEMORY_BYTES, epochNanos, used * 1024.0));
    }
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
