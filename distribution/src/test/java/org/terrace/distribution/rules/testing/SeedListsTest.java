package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.PlantedHouse;

/** A list of seeds that its test has left behind, in a move, is replayed by nobody. */
public class SeedListsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  @TempDir Path folder;

  @Test
  void everyListOfSeedsLiesBesideItsTest() throws IOException {
    assertThat(lists(House.read(ROOT))).isNotEmpty().allMatch(SeedListsTest::isBesideItsTest);
  }

  @Test
  void aListThatItsTestLeftBehindIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("shop")
            .test("shop", "package org.shop; class ShopTest {}")
            .file("shop/src/test/resources/org/shop/ShopTest.seeds", "history 1")
            .file("shop/src/test/resources/org/shop/MovedTest.seeds", "history 2")
            .build();

    assertThat(lists(house).stream().filter(list -> !isBesideItsTest(list)))
        .singleElement()
        .satisfies(list -> assertThat(list.toString()).endsWith("MovedTest.seeds"));
  }

  private static List<Path> lists(House house) throws IOException {
    List<Path> lists = new ArrayList<>();
    for (Module module : house.modules()) {
      Path resources = house.root().resolve(module.folder()).resolve("src/test/resources");
      if (Files.isDirectory(resources)) {
        try (var files = Files.walk(resources)) {
          files.filter(file -> file.toString().endsWith(".seeds")).forEach(lists::add);
        }
      }
    }
    return lists;
  }

  private static boolean isBesideItsTest(Path list) {
    String test = list.toString().replace("/src/test/resources/", "/src/test/java/");
    return Files.exists(Path.of(test.replaceFirst("\\.seeds$", ".java")));
  }
}
