package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The commands that the documents tell a reader to type are commands that there are. */
class GuideCommandsTest {
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[|;] *|do )\\./terrace +([^|#;\n]*)", Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");
  private static final int FEWEST_COMMANDS = 15;

  /** One for all: to make it anew takes longer than all else. */
  private static final CommandLine TERRACE = Terrace.commandLine();

  static List<String> commands() throws IOException {
    List<String> found = new ArrayList<>();
    for (GuideBlock block : GuideBlock.all()) {
      Matcher command = COMMAND.matcher(block.text());
      while (command.find()) {
        found.add(block.page() + ": " + command.group(1).strip());
      }
    }
    assertThat(found).hasSizeGreaterThan(FEWEST_COMMANDS);
    return found;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandOfAPageIsUnderstood(String pageAndCommand) {
    String command = pageAndCommand.substring(pageAndCommand.indexOf(": ") + 2);
    String[] arguments =
        WORD.matcher(command)
            .results()
            .map(word -> word.group().replace("\"", ""))
            .toArray(String[]::new);

    assertThatCode(() -> TERRACE.parseArgs(arguments)).doesNotThrowAnyException();
  }
}
