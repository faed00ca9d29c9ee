package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands that the documents tell a reader to type are commands that there are. */
class GuideCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\n(.*?)^```");
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[|;] *|do )\\./terrace +([^|#;\n]*)", Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");
  private static final int FEWEST_COMMANDS = 15;

  static List<String> commands() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
      Stream.concat(Stream.of(ROOT.resolve("README.md")), guides.sorted())
          .forEach(page -> {
            Matcher block = BLOCK.matcher(text(page));
            while (block.find()) {
              Matcher command = COMMAND.matcher(block.group(1));
              while (command.find()) {
                found.add(page.getFileName() + ": " + command.group(1).strip());
              }
            }
          });
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

    assertThatCode(() -> Terrace.commandLine().parseArgs(arguments)).doesNotThrowAnyException();
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
