package org.terrace.invocation.link;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The flags of a process: pairs of a flag and its value. Immutable. */
public final class Flags {
  private final Map<String, String> values;

  private Flags(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * Reads the arguments of a command line.
   *
   * @param known the flags there are
   * @throws TerraceException if one is unknown, given twice or lacks its value
   */
  public static Flags parse(String[] arguments, String... known) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!List.of(known).contains(arguments[i])) {
        throw bad("unknown flag " + arguments[i] + "; there are " + String.join(", ", known));
      }
      if (i + 1 == arguments.length) {
        throw bad(arguments[i] + " needs a value");
      }
      if (values.put(arguments[i], arguments[i + 1]) != null) {
        throw bad(arguments[i] + " is given twice; give it once");
      }
    }
    return new Flags(values);
  }

  /** The value of a flag, or another. */
  public String get(String flag, String otherwise) {
    return values.getOrDefault(flag, otherwise);
  }

  /**
   * The value of a flag that must be there.
   *
   * @param what what the value is, for the message
   */
  public String required(String flag, String what) {
    @Nullable String value = values.get(flag);
    if (value == null) {
      throw bad(flag + " is missing: " + what);
    }
    return value;
  }

  /** The whole number of a flag, between limits. */
  public int number(String flag, int otherwise, int min, int max) {
    String text = values.get(flag);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw outOfRange(flag, text, min, max);
    }
    throw outOfRange(flag, text, min, max);
  }

  private static TerraceException outOfRange(String flag, String text, int min, int max) {
    return bad(flag + " is '" + text + "': expected a whole number of " + min + " to " + max);
  }

  private static TerraceException bad(String message) {
    return new TerraceException(ErrorCode.BAD_INPUT, message);
  }
}
