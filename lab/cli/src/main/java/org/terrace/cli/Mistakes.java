package org.terrace.cli;

import java.util.Collection;
import java.util.List;
import org.terrace.experiment.spec.Words;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The wording of what is wrong with a command line. Stateless. */
final class Mistakes {
  private Mistakes() {}

  /** One clause, with the command or option that was probably meant. */
  static String describe(ParameterException failure) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(failure.getMessage());
    }
    CommandLine command = failure.getCommandLine();
    String word = unmatched.getUnmatched().getFirst();
    if (word.startsWith("-")) {
      String option = word.split("=", 2)[0];
      List<String> known =
          command.getCommandSpec().optionsMap().keySet().stream()
              .filter(name -> name.startsWith("--"))
              .toList();
      return "there is no option '" + option + "'" + guess(option, known);
    }
    Collection<String> commands = command.getSubcommands().keySet();
    return commands.isEmpty()
        ? String.valueOf(failure.getMessage())
        : "there is no command '" + word + "'" + guess(word, commands);
  }

  private static String guess(String word, Collection<String> known) {
    return Words.nearest(word, known).map(near -> "; did you mean '" + near + "'?").orElse("");
  }
}
