package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages that the troubleshooting guide explains are messages that there are. */
class TroubleshootingGuideTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Path GUIDE = ROOT.resolve("docs/guide/troubleshooting.md");

  /** The first cell of a table's line, if it is a message. */
  private static final Pattern MESSAGE = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

  /** The seam of a literal that is written in parts. */
  private static final Pattern SEAM = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final int FEWEST_MESSAGES = 20;

  @Test
  void everyMessageOfTheGuideIsOneOfTheProgram() throws IOException {
    List<String> messages =
        MESSAGE.matcher(Files.readString(GUIDE)).results().map(each -> each.group(1)).toList();
    assertThat(messages).hasSizeGreaterThanOrEqualTo(FEWEST_MESSAGES);

    String literals = literals();

    assertThat(messages).allSatisfy(message -> assertThat(literals).contains(message));
  }

  private static String literals() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String wing : List.of("lab", "observatory", "databases", "core")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(wing))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> file.toString().contains("src/main/java"))
            .forEach(file -> all.append(SEAM.matcher(text(file)).replaceAll("")));
      }
    }
    return all.toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
