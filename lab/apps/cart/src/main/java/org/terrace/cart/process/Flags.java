package org.terrace.cart.process;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The flags of a command line, all of the form {@code --name value}; a name that is not asked for
 * is an error.
 *
 * <p>The programs start at once without a library for this. Confined.
 */
public final class Flags {
  private final Map<String, String> values = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  /** The flags of a command line. */
  public Flags(String[] arguments) {
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
  public String text(String name) {
    asked.add(name);
    String value = values.get(name);
    if (value == null) {
      throw new TerraceException(ErrorCode.BAD_INPUT, "The flag " + name + " is missing.");
    }
    return value;
  }

  /** The value of a flag that may be left out. */
  public String text(String name, String whenAbsent) {
    asked.add(name);
    return values.getOrDefault(name, whenAbsent);
  }

  /** A whole number within bounds. */
  public int number(String name, String whenAbsent, int least, int most) {
    int number = parse(name, whenAbsent, Integer::valueOf, "a whole number");
    if (number < least || number > most) {
      throw bad(name, "a number from " + least + " to " + most, String.valueOf(number));
    }
    return number;
  }

  /** A value of some kind. */
  public <T> T parse(String name, String whenAbsent, Function<String, T> reader, String expected) {
    String value = text(name, whenAbsent);
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException | java.time.DateTimeException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, message(name, expected, value), e);
    }
  }

  /** A number within bounds. */
  public double decimal(String name, String whenAbsent, double least, double most) {
    double number = parse(name, whenAbsent, Double::valueOf, "a number");
    if (!(number >= least && number <= most)) {
      throw bad(name, "a number from " + least + " to " + most, String.valueOf(number));
    }
    return number;
  }

  /** A file that may be left out. */
  public Optional<Path> path(String name) {
    String value = text(name, "");
    return value.isEmpty() ? Optional.empty() : Optional.of(Path.of(value));
  }

  /** Addresses with ports, separated by commas. */
  public List<InetSocketAddress> addresses(String name) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String text : text(name).split(",", -1)) {
      int colon = text.lastIndexOf(':');
      if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
        throw bad(name, "ADDRESS:PORT, and more after commas", text);
      }
      addresses.add(
          new InetSocketAddress(
              text.substring(0, colon), Integer.parseInt(text.substring(colon + 1))));
    }
    return addresses;
  }

  /** Fails if there is a flag that nobody asked for. */
  public void end() {
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
