package org.terrace.nodes.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.stream.Stream;
import org.terrace.core.process.AllowedProcessors;

/**
 * The time of the processors that this process may use, as the kernel counts it since its start.
 * Those that it may not use are no room of its own, however idle they are. Immutable.
 *
 * <p>Source: proc(5), {@code /proc/stat} and {@code Cpus_allowed_list} of {@code /proc/pid/status}.
 *
 * @param processors their numbers
 * @param ticks the sums of their fields: user, nice, system, idle, iowait, irq, softirq, steal
 */
record ProcessorTicks(BitSet processors, long[] ticks) {
  static final int FIELDS = 8;

  private static final String PROCESSOR = "cpu";

  /**
   * Reads the time of processors.
   *
   * @param stat {@code /proc/stat}
   * @param status {@code /proc/self/status}
   * @return empty where either cannot be read, or names none
   */
  static Optional<ProcessorTicks> read(Path stat, Path status) {
    BitSet allowed = AllowedProcessors.of(status);
    BitSet counted = new BitSet();
    long[] ticks = new long[FIELDS];
    try (Stream<String> lines = Files.lines(stat, StandardCharsets.US_ASCII)) {
      lines
          .takeWhile(line -> line.startsWith(PROCESSOR))
          .skip(1) // the sum of all processors
          .forEach(line -> add(line, allowed, counted, ticks));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
    return counted.isEmpty() ? Optional.empty() : Optional.of(new ProcessorTicks(counted, ticks));
  }

  private static void add(String line, BitSet allowed, BitSet counted, long[] ticks) {
    StringTokenizer fields = new StringTokenizer(line);
    int number = Integer.parseInt(fields.nextToken().substring(PROCESSOR.length()));
    if (!allowed.get(number)) {
      return;
    }
    counted.set(number);
    for (int field = 0; field < FIELDS && fields.hasMoreTokens(); field++) {
      ticks[field] += Long.parseLong(fields.nextToken());
    }
  }
}
