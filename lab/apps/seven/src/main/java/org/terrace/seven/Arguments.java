package org.terrace.seven;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The arguments of a program: {@code --name value}, and switches that stand alone. What nobody asks
 * for is an error.
 *
 * <p>A replica must start at once, which is why these programs do without a library for this.
 * Confined to one thread.
 */
final class Arguments {
  private final Map<String, String> values = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final Set<String> asked = new HashSet<>();

  /** Reads a command line; {@code switches} are the names that take no value. */
  Arguments(String[] arguments, Set<String> switches) {
    int next = 0;
    while (next < arguments.length) {
      String name = arguments[next++];
      if (!name.startsWith("--")) {
        throw bad("At '" + name + "': expected a name such as --application.");
      }
      if (!given.add(name)) {
        throw bad(name + " is given twice; leave one out.");
      }
      if (!switches.contains(name)) {
        if (next == arguments.length) {
          throw bad(name + " needs a value after it.");
        }
        values.put(name, arguments[next++]);
      }
    }
  }

  /** A text that must be there. */
  String text(String name) {
    return optional(name).orElseThrow(() -> bad(name + " is missing."));
  }

  /** A text that may be left out. */
  String text(String name, String otherwise) {
    return optional(name).orElse(otherwise);
  }

  /** A text that may be left out. */
  Optional<String> optional(String name) {
    asked.add(name);
    return Optional.ofNullable(values.get(name));
  }

  /** Whether a switch is there. */
  boolean isGiven(String name) {
    asked.add(name);
    return given.contains(name);
  }

  /** A whole number from {@code least} to {@code most}. */
  int number(String name, int otherwise, int least, int most) {
    int number = value(name, Integer::valueOf, () -> otherwise, "a whole number");
    if (number < least || number > most) {
      throw bad("%s is %d; expected a number from %d to %d.".formatted(name, number, least, most));
    }
    return number;
  }

  /** A value of some kind; {@code expected} says which. */
  <T> T value(String name, Function<String, T> reader, Supplier<T> otherwise, String expected) {
    Optional<String> text = optional(name);
    if (text.isEmpty()) {
      return otherwise.get();
    }
    try {
      return reader.apply(text.get());
    } catch (IllegalArgumentException | java.time.DateTimeException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "%s is '%s'; expected %s.".formatted(name, text.get(), expected), e);
    }
  }

  /** Fails if something was given that nobody asked for. */
  void end() {
    List<String> unknown = new ArrayList<>(given);
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw bad(
          "%s is unknown; these are known: %s."
              .formatted(
                  String.join(" ", unknown), String.join(" ", asked.stream().sorted().toList())));
    }
  }

  private static TerraceException bad(String message) {
    return new TerraceException(ErrorCode.BAD_INPUT, message);
  }
}
