package org.terrace.cli;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.terrace.specification.Words;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The wording of what is wrong with a command line. Stateless. */
final class Mistakes {
  private static final Pattern CHOICES = Pattern.compile("expected one of \\[[A-Z_, ]+]");

  private static final String TLS_KEYS = "--tls-keys";

  private Mistakes() {}

  /** One clause, with the command or option that was probably meant. */
  static String describe(ParameterException failure) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) {
      // Enum constants, which are written in lower case on the command line.
      return CHOICES
          .matcher(String.valueOf(failure.getMessage()))
          .replaceAll(choices -> choices.group().toLowerCase(Locale.ROOT));
    }
    CommandLine command = failure.getCommandLine();
    String word = unmatched.getUnmatched().getFirst();
    if (word.startsWith("-")) {
      String option = word.split("=", 2)[0];
      String elsewhere = elsewhere(command, option);
      if (!elsewhere.isEmpty()) {
        return "there is no option '" + option + "'" + elsewhere;
      }
      List<String> known =
          command.getCommandSpec().optionsMap().keySet().stream()
              .filter(name -> name.startsWith("--"))
              .toList();
      return "there is no option '" + option + "'" + guess(option, known);
    }
    Collection<String> commands = command.getSubcommands().keySet();
    return commands.isEmpty() ? String.valueOf(failure.getMessage()) : noCommand(word, commands);
  }

  /** The commands beside one that have an option which it lacks, or nothing. */
  private static String elsewhere(CommandLine command, String option) {
    CommandLine parent = command.getParent();
    if (parent == null) {
      return "";
    }
    String others =
        parent.getSubcommands().values().stream()
            .map(CommandLine::getCommandSpec)
            .filter(other -> other.optionsMap().containsKey(option))
            .map(other -> "'" + other.qualifiedName() + "'")
            .distinct()
            .collect(Collectors.joining(" and "));
    if (others.isEmpty()) {
      return "";
    }
    String why =
        option.equals(TLS_KEYS)
            ? ": keys are for reading a capture, and a result holds what they opened"
            : "";
    return " of '" + command.getCommandSpec().qualifiedName() + "', but one of " + others + why;
  }

  /** A word that is no command. */
  static String noCommand(String word, Collection<String> commands) {
    return "there is no command '" + word + "'" + guess(word, commands);
  }

  private static String guess(String word, Collection<String> known) {
    return Words.nearest(word, known).map(near -> "; did you mean '" + near + "'?").orElse("");
  }
}
