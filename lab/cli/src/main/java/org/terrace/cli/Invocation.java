package org.terrace.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** The command line that a person would type to do the same again. Stateless. */
final class Invocation {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,+@%-]+");

  private Invocation() {}

  /** The command with all its arguments, quoted for a shell. */
  static String of(CommandSpec command) {
    List<String> words = new ArrayList<>(List.of("./terrace", command.name()));
    // The arguments of the subcommand alone, which the parser of the whole line has split off.
    command.commandLine().getParseResult().originalArgs().stream()
        .dropWhile(word -> !word.equals(command.name()))
        .skip(1)
        .map(Invocation::quoted)
        .forEach(words::add);
    return String.join(" ", words);
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
