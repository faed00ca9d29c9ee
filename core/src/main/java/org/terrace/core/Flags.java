package org.terrace.core;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The flags of a process that other processes start: {@code --name value}, and switches, which
 * stand alone. What nobody asks for is an error.
 *
 * <p>A replica must start at once and has a dozen flags at most, which is why such processes do
 * without a library for this. Confined to one thread. Every method throws {@link TerraceException}
 * of {@link ErrorCode#BAD_INPUT}, which names the flag, if what was given is not as asked for.
 */
public final class Flags {
  private final Map<String, String> values = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final Set<String> asked = new HashSet<>();

  private Flags() {}

  /** Reads a command line; {@code switches} are the names that take no value. */
  public static Flags of(String[] arguments, String... switches) {
    Flags flags = new Flags();
    int next = 0;
    while (next < arguments.length) {
      String name = arguments[next++];
      if (!name.startsWith("--")) {
        throw bad("at '" + name + "': expected a flag such as --name");
      }
      if (!flags.given.add(name)) {
        throw bad(name + " is given twice; leave one out");
      }
      if (!List.of(switches).contains(name)) {
        if (next == arguments.length) {
          throw bad(name + " needs a value after it");
        }
        flags.values.put(name, arguments[next++]);
      }
    }
    return flags;
  }

  /** A text that must be there. */
  public String text(String name) {
    return optional(name).orElseThrow(() -> bad(name + " is missing"));
  }

  /**
   * A text that must be there.
   *
   * @param what what the text is, for the message
   */
  public String required(String name, String what) {
    return optional(name).orElseThrow(() -> bad(name + " is missing: " + what));
  }

  /** A text that may be left out. */
  public String text(String name, String otherwise) {
    return optional(name).orElse(otherwise);
  }

  /** A text that may be left out. */
  public Optional<String> optional(String name) {
    asked.add(name);
    return Optional.ofNullable(values.get(name));
  }

  /** A file that may be left out. */
  public Optional<Path> path(String name) {
    return optional(name).filter(text -> !text.isEmpty()).map(Path::of);
  }

  /** Whether a switch is there. */
  public boolean isGiven(String name) {
    asked.add(name);
    return given.contains(name);
  }

  /** A whole number from {@code least} to {@code most}. */
  public int number(String name, int otherwise, int least, int most) {
    String expected = "a whole number from " + least + " to " + most;
    int number = value(name, Integer::valueOf, () -> otherwise, expected);
    if (number < least || number > most) {
      throw bad("%s is '%d': expected %s".formatted(name, number, expected));
    }
    return number;
  }

  /** A number from {@code least} to {@code most}. */
  public double decimal(String name, double otherwise, double least, double most) {
    String expected = "a number from " + least + " to " + most;
    double number = value(name, Double::valueOf, () -> otherwise, expected);
    if (!(number >= least && number <= most)) {
      throw bad("%s is '%s': expected %s".formatted(name, number, expected));
    }
    return number;
  }

  /**
   * A value of some kind.
   *
   * @param reader makes the value, or throws {@link IllegalArgumentException} or {@link
   *     DateTimeException}
   * @param expected what is expected, for the message
   */
  public <T> T value(
      String name, Function<String, T> reader, Supplier<T> otherwise, String expected) {
    Optional<String> text = optional(name);
    if (text.isEmpty()) {
      return otherwise.get();
    }
    try {
      return reader.apply(text.get());
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "%s is '%s': expected %s".formatted(name, text.get(), expected), e);
    }
  }

  /** Fails if something was given that nobody asked for. */
  public void end() {
    List<String> unknown = new ArrayList<>(given);
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw bad(
          "%s is unknown; there are %s"
              .formatted(
                  String.join(" ", unknown), String.join(" ", asked.stream().sorted().toList())));
    }
  }

  private static TerraceException bad(String message) {
    return new TerraceException(ErrorCode.BAD_INPUT, message);
  }
}
