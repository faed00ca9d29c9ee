package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.PlantedHouse;

/**
 * A list of seeds that its test has left behind, in a move, is replayed by nobody. Nor does {@code
 * ./build} replay a seed of a method that it leaves out: the list is what each build begins with,
 * before each commit, so a seed is listed for a method that each build runs. A long method hands
 * what it does with a seed to a short one beside it, which draws by {@link
 * org.terrace.testing.Depth}.
 */
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

  @Test
  void everyListedSeedIsReplayedByTheShortBuild() throws IOException {
    assertThat(leftOut(House.read(ROOT))).isEmpty();
  }

  @Test
  void aSeedOfAMethodThatTheShortBuildLeavesOutIsNamed() throws IOException {
    String test = "@org.junit.jupiter.api.Test ";
    String tag = "@org.junit.jupiter.api.Tag(\"long\") ";
    House house =
        new PlantedHouse(folder)
            .module("shop")
            .test(
                "shop",
                "package org.shop; class ShopTest { "
                    + test
                    + "void sells() {} "
                    + test
                    + tag
                    + "void sellsALot() {} }")
            .test("shop", "package org.shop; " + tag + "class YardTest { " + test + "void t() {} }")
            .test("shop", "package org.shop; class HeirTest extends YardTest {}")
            .file(
                "shop/src/test/resources/org/shop/ShopTest.seeds",
                "# sellsALot 1",
                "sells 1 # as seldom as not",
                "sellsALot -2")
            .file("shop/src/test/resources/org/shop/YardTest.seeds", "", "t 3")
            .file("shop/src/test/resources/org/shop/HeirTest.seeds", "t 3")
            .build(place(Test.class), place(Tag.class));

    assertThat(leftOut(house))
        .containsExactlyInAnyOrder(
            "ShopTest.seeds: ./build runs no org.shop.ShopTest#sellsALot, and replays no seed of it",
            "YardTest.seeds: ./build runs no org.shop.YardTest#t, and replays no seed of it",
            "HeirTest.seeds: ./build runs no org.shop.HeirTest#t, and replays no seed of it");
  }

  private static List<String> leftOut(House house) throws IOException {
    LongTests tests = new LongTests(house, List.of());
    List<String> breaches = new ArrayList<>();
    for (Path list : lists(house)) {
      String test =
          list.toString()
              .replaceFirst(".*/src/test/resources/(.*)\\.seeds$", "$1")
              .replace('/', '.');
      Files.readAllLines(list).stream()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .map(line -> test + "#" + line.replaceFirst("\\s.*", ""))
          .distinct()
          .filter(method -> !tests.isRunInTheShortBuild(method))
          .forEach(method ->
              breaches.add(
                  list.getFileName()
                      + ": ./build runs no "
                      + method
                      + ", and replays no seed of it"));
    }
    return breaches;
  }

  private static Path place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
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
