package org.terrace.cli.history;

import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * An argument that names results, {@code LABEL=} before it or not. Immutable.
 *
 * @param label what to call them; empty if the user did not say
 * @param target what follows: a file, a directory, or a list of directories
 */
public record Labelled(String label, String target) {
  /** Reads an argument; a path that exists is one, whatever is in its name. */
  public static Labelled parse(String argument) {
    int equals = argument.indexOf('=');
    String before = equals < 0 ? "" : argument.substring(0, equals);
    boolean plain = before.isEmpty() || before.contains("/") || before.contains(",");
    if (plain || Files.exists(Path.of(argument))) {
      return new Labelled("", argument);
    }
    if (equals + 1 == argument.length()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, argument + ": nothing follows the label; expected LABEL=DIR");
    }
    return new Labelled(before.strip(), argument.substring(equals + 1));
  }

  /** The label, or another where there is none. */
  public String labelOr(String otherwise) {
    return label.isEmpty() ? otherwise : label;
  }
}
