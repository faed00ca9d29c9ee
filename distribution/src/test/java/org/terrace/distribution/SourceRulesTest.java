package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules that are read off the sources: file length, tests switched off, marks of unfinished work.
 */
class SourceRulesTest {
  private static final int LONGEST_FILE_LINES = 400;
  private static final Pattern UNFINISHED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Pattern DISABLED = Pattern.compile("@Dis" + "abled\\b|@Ign" + "ore\\b");

  /** An index into values at a part of their number: a percentile that is not the nearest rank. */
  private static final Pattern OWN_RANK =
      Pattern.compile(
          "(?<!new )\\b[a-z]\\w*\\[[^\\]\\[]*\\.length\\)* ?[*/]"
              + "|\\.get\\([^;]*\\.size\\(\\)\\)* ?[*/]");

  @TempDir Path folder;

  @Test
  void noFileOfMainCodeIsTooLongToReadInOneSitting() throws IOException {
    assertThat(tooLong(SourceTree.root())).isEmpty();
    plant("main", "int line;\n".repeat(LONGEST_FILE_LINES));
    assertThat(tooLong(folder)).isEmpty();
    plant("main", "int line;\n".repeat(LONGEST_FILE_LINES + 1));
    assertThat(tooLong(folder)).containsExactly("shop/src/main/java/Till.java: 401 lines");
  }

  @Test
  void noTestIsSwitchedOff() throws IOException {
    assertThat(linesWith(DISABLED, SourceTree.root(), "test")).isEmpty();
    plant("test", "@Dis" + "abled\nvoid test() {}");
    assertThat(linesWith(DISABLED, folder, "test")).hasSize(1);
  }

  @Test
  void nothingIsMarkedAsUnfinished() throws IOException {
    for (String sourceSet : List.of("main", "test")) {
      assertThat(linesWith(UNFINISHED, SourceTree.root(), sourceSet)).isEmpty();
      plant(sourceSet, "// TO" + "DO later");
      assertThat(linesWith(UNFINISHED, folder, sourceSet)).hasSize(1);
    }
  }

  @Test
  void everyPercentileIsANearestRankAndTakenInOnePlace() throws IOException {
    assertThat(linesWith(OWN_RANK, SourceTree.root(), "main")).isEmpty();
    List<String> own =
        List.of(
            "p50 = sorted[sorted.length / 2];",
            "low = values[(int) (values.length * LOWEST)];",
            "middle = known.get(known.size() / 2);");
    for (String line : own) {
      plant("main", line);
      assertThat(linesWith(OWN_RANK, folder, "main")).as(line).hasSize(1);
    }
    plant("main", "slots = new long[old.length * 2];\nslots = new Slot[old.length * 2];");
    assertThat(linesWith(OWN_RANK, folder, "main")).isEmpty();
  }

  private void plant(String sourceSet, String text) throws IOException {
    Path file = folder.resolve("shop/src/" + sourceSet + "/java/Till.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<String> tooLong(Path root) throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : SourceTree.javaFiles(root, "main")) {
      int lines = Files.readAllLines(file).size();
      if (lines > LONGEST_FILE_LINES) {
        tooLong.add(root.relativize(file) + ": " + lines + " lines");
      }
    }
    return tooLong;
  }

  private static List<String> linesWith(Pattern pattern, Path root, String sourceSet)
      throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : SourceTree.javaFiles(root, sourceSet)) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (pattern.matcher(lines.get(i)).find()) {
          found.add(root.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).trim());
        }
      }
    }
    return found;
  }
}
