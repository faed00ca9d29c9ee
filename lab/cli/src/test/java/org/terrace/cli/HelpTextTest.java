package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The first line of each command's description, which is all that the list of commands shows. */
class HelpTextTest {
  private static final int WIDTH = 80;

  /** A beginning of a paragraph of its own, such as the first line of a description. */
  private static final Pattern SENTENCE = Pattern.compile(".*[.:]|Usage: .*");

  static List<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>(List.of(Terrace.commandLine()));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theFirstLineIsASentence(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();

    assertThat(description).as(command.getCommandName()).isNotEmpty();
    assertThat(description[0]).as(command.getCommandName()).matches("[A-Z].*\\.");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyLineFitsATerminalAndNoneIsBrokenShort(CommandLine command) {
    List<String> lines = command.getUsageMessage().lines().toList();

    assertThat(lines)
        .as(command.getCommandName())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
    for (int i = 0; i + 1 < lines.size(); i++) {
      String line = lines.get(i);
      String next = lines.get(i + 1);
      if (isProse(line) && isProse(next) && !line.endsWith(":")) {
        String word = next.split(" ", 2)[0];
        assertThat(line + " " + word)
            .as("%s: a line with room for the next one's first word", command.getCommandName())
            .matches(full -> full.length() >= WIDTH || SENTENCE.matcher(line).matches());
      }
    }
  }

  private static boolean isProse(String line) {
    return !line.isBlank() && Character.isLetterOrDigit(line.charAt(0));
  }

  @Test
  void examplesKeepTheirLinesAndProseIsFilled() {
    assertThat(
            HelpText.paragraphs(
                List.of(
                    "", "Examples:", "  one", "  two", "", "It ends", "here.", "Codes:", "  0")))
        .containsExactly("", "Examples:", "  one", "  two", "", "It ends here. Codes:", "  0");
  }
}
