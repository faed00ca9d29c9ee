package org.terrace.nodes.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.stream.Stream;

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

  /** Far more than any machine has. */
  private static final int MOST_PROCESSORS = 1 << 16;

  private static final String PROCESSOR = "cpu";
  private static final String ALLOWED = "Cpus_allowed_list:";

  /**
   * Reads the time of processors.
   *
   * @param stat {@code /proc/stat}
   * @param status {@code /proc/self/status}
   * @return empty where either cannot be read, or names none
   */
  static Optional<ProcessorTicks> read(Path stat, Path status) {
    BitSet allowed;
    try (Stream<String> lines = Files.lines(status, StandardCharsets.ISO_8859_1)) {
      allowed =
          lines
              .filter(line -> line.startsWith(ALLOWED))
              .findFirst()
              .map(line -> list(line.substring(ALLOWED.length()).strip()))
              .orElseGet(BitSet::new);
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
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

  /** The numbers of a list such as {@code 0-3,8}. */
  private static BitSet list(String text) {
    BitSet numbers = new BitSet();
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      if (first < 0 || last < first || last >= MOST_PROCESSORS) {
        throw new NumberFormatException(part);
      }
      numbers.set(first, last + 1);
    }
    return numbers;
  }
}
