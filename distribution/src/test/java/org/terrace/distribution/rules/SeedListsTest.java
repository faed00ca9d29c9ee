package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A list of seeds that its test has left behind, in a move, is replayed by nobody. */
class SeedListsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  @Test
  void everyListOfSeedsLiesBesideItsTest() throws IOException {
    List<Path> lists = new ArrayList<>();
    for (Module module : House.read(ROOT).modules()) {
      Path resources = ROOT.resolve(module.folder()).resolve("src/test/resources");
      if (Files.isDirectory(resources)) {
        try (var files = Files.walk(resources)) {
          files.filter(file -> file.toString().endsWith(".seeds")).forEach(lists::add);
        }
      }
    }
    assertThat(lists).isNotEmpty().allMatch(SeedListsTest::isBesideItsTest);
  }

  private static boolean isBesideItsTest(Path list) {
    String test = list.toString().replace("/src/test/resources/", "/src/test/java/");
    return Files.exists(Path.of(test.replaceFirst("\\.seeds$", ".java")));
  }
}
