package org.terrace.nodes.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the files of /proc that list a number for each of several names. Stateless. */
final class ProcFiles {
  private static final String TOTAL = "total=";

  private ProcFiles() {}

  /** The numbers of a file such as {@code /proc/PID/io}; empty when it cannot be read. */
  static Optional<Map<String, Long>> numbers(Path file) {
    try {
      Map<String, Long> numbers = new HashMap<>();
      String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      for (String line : text.split("\n", -1)) {
        int colon = line.indexOf(':');
        if (colon > 0) {
          firstNumber(line, colon + 1)
              .ifPresent(value -> numbers.put(line.substring(0, colon), value));
        }
      }
      return Optional.of(numbers);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The microseconds in a file of /proc/pressure for which some process waited; empty where there
   * is no such file.
   */
  static Optional<Long> total(Path file) {
    try {
      String first = Files.readString(file, StandardCharsets.ISO_8859_1);
      int total = first.indexOf(TOTAL);
      return total < 0 ? Optional.empty() : firstNumber(first, total + TOTAL.length());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Long> firstNumber(String line, int from) {
    int start = from;
    while (start < line.length() && Character.isWhitespace(line.charAt(start))) {
      start++;
    }
    int end = start;
    while (end < line.length() && Character.isDigit(line.charAt(end))) {
      end++;
    }
    return start == end || end - start > 18
        ? Optional.empty()
        : Optional.of(Long.parseLong(line.substring(start, end)));
  }
}
