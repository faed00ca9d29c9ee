package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The binding of processes to some processors, which what they start inherits. Stateless.
 *
 * <p>Source: proc(5), {@code Cpus_allowed_list} of {@code /proc/pid/status}.
 */
public final class ProcessorBinding {
  private static final String ALLOWED = "Cpus_allowed_list:";

  private static final Path STATUS = Path.of("/proc/self/status");

  /** Far more than any machine has. */
  private static final int MOST_PROCESSORS = 1 << 16;

  private ProcessorBinding() {}

  /** The numbers of the processors that this process may use; none where that cannot be read. */
  public static Set<Integer> ofThisProcess() {
    return allowed(STATUS).stream().boxed().collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The numbers of the processors that a process may use; none where that cannot be read.
   *
   * @param status its file {@code status} in procfs
   */
  public static BitSet allowed(Path status) {
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

  /** The command that is bound and then becomes another, with the same process number. */
  public static List<String> command(int processor, List<String> command) {
    List<String> bound = new ArrayList<>(List.of("taskset", "-c", Integer.toString(processor)));
    bound.addAll(command);
    return bound;
  }

  /** The processors that a thread of a process may use, where they are not that one alone. */
  public static Optional<String> others(int processor, long process) {
    Path tasks = Path.of("/proc", Long.toString(process), "task");
    try (var threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        for (String line : Files.readAllLines(thread.resolve("status"))) {
          String allowed = line.startsWith(ALLOWED) ? line.substring(ALLOWED.length()).strip() : "";
          if (!allowed.isEmpty() && !allowed.equals(Integer.toString(processor))) {
            return Optional.of(allowed);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty(); // one that has ended uses none
    }
    return Optional.empty();
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
