package org.terrace.board;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The flags of a command line, all of the form {@code --name value}; a name that is not asked for
 * is an error.
 *
 * <p>The two programs of the board have a dozen flags between them and must start at once, which is
 * why they do without a library for this.
 */
final class Flags {
  private final Map<String, String> values = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  Flags(String[] arguments) {
    for (int i = 0; i < arguments.length; i += 2) {
      String name = arguments[i];
      if (!name.startsWith("--")) {
        throw bad(name, "a flag such as --name", "");
      }
      if (i + 1 == arguments.length) {
        throw bad(name, "a value after it", "");
      }
      if (values.put(name, arguments[i + 1]) != null) {
        throw bad(name, "the flag once", "");
      }
    }
  }

  /** The value of a flag that must be there. */
  String text(String name) {
    asked.add(name);
    String value = values.get(name);
    if (value == null) {
      throw new TerraceException(ErrorCode.BAD_INPUT, "The flag " + name + " is missing.");
    }
    return value;
  }

  /** The value of a flag that may be left out. */
  String text(String name, String whenAbsent) {
    asked.add(name);
    return values.getOrDefault(name, whenAbsent);
  }

  /** A whole number within bounds. */
  int number(String name, String whenAbsent, int least, int most) {
    int number = parse(name, whenAbsent, Integer::valueOf, "a whole number");
    if (number < least || number > most) {
      throw bad(name, "a number from " + least + " to " + most, String.valueOf(number));
    }
    return number;
  }

  /** A value of some kind. */
  <T> T parse(String name, String whenAbsent, Function<String, T> reader, String expected) {
    String value = text(name, whenAbsent);
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException | java.time.DateTimeException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, message(name, expected, value), e);
    }
  }

  /** Fails if there is a flag that nobody asked for. */
  void end() {
    List<String> unknown = new ArrayList<>(values.keySet());
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "Unknown flag %s; these are known: %s."
              .formatted(unknown.getFirst(), String.join(" ", asked.stream().sorted().toList())));
    }
  }

  private static TerraceException bad(String name, String expected, String value) {
    return new TerraceException(ErrorCode.BAD_INPUT, message(name, expected, value));
  }

  private static String message(String name, String expected, String value) {
    return value.isEmpty()
        ? "At '%s': expected %s.".formatted(name, expected)
        : "%s is '%s'; expected %s.".formatted(name, value, expected);
  }
}
