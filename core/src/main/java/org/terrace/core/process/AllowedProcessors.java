package org.terrace.core.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processors that a process may use, by their numbers on the machine. Stateless and
 * thread-safe.
 *
 * <p>Source: proc(5), {@code Cpus_allowed_list} of {@code /proc/pid/status}.
 */
public final class AllowedProcessors {
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Far more than any machine has. */
  private static final int MOST_PROCESSORS = 1 << 16;

  private AllowedProcessors() {}

  /** The numbers of the processors that this process may use; none where that cannot be read. */
  public static Set<Integer> ofThisProcess() {
    return of(STATUS).stream().boxed().collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The numbers of the processors that a process may use; none where that cannot be read.
   *
   * @param status its file {@code status} in procfs
   */
  public static BitSet of(Path status) {
    try (Stream<String> lines = Files.lines(status, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith(ALLOWED))
          .findFirst()
          .map(line -> list(line.substring(ALLOWED.length()).strip()))
          .orElseGet(BitSet::new);
    } catch (IOException | NumberFormatException e) {
      return new BitSet();
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
