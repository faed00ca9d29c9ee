package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules that are read off the sources: file length, sleeps, marks of unfinished work. */
class SourceRulesTest {
  private static final int LONGEST_FILE_LINES = 400;
  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Pattern SLEEP = Pattern.compile("Thread\\.sl" + "eep\\(");
  private static final Pattern DISABLED = Pattern.compile("@Dis" + "abled\\b|@Ign" + "ore\\b");

  @Test
  void noFileOfMainCodeIsTooLongToReadInOneSitting() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : SourceTree.javaFiles("main")) {
      int lines = Files.readAllLines(file).size();
      if (lines > LONGEST_FILE_LINES) {
        tooLong.add(SourceTree.root().relativize(file) + ": " + lines + " lines");
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void noTestSleeps() throws IOException {
    assertThat(linesWith(SLEEP, "test")).isEmpty();
  }

  @Test
  void noTestIsSwitchedOff() throws IOException {
    assertThat(linesWith(DISABLED, "test")).isEmpty();
  }

  @Test
  void nothingIsMarkedAsUnfinished() throws IOException {
    assertThat(linesWith(UNFINISHED, "main")).isEmpty();
    assertThat(linesWith(UNFINISHED, "test")).isEmpty();
  }

  private static List<String> linesWith(Pattern pattern, String sourceSet) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : SourceTree.javaFiles(sourceSet)) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (pattern.matcher(lines.get(i)).find()) {
          found.add(
              SourceTree.root().relativize(file) + ":" + (i + 1) + ": " + lines.get(i).trim());
        }
      }
    }
    return found;
  }
}
