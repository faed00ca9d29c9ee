package org.terrace.distribution.rules.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.PlantedHouse;

/**
 * The rule about tests that the short build leaves out, in the house and where broken on purpose.
 */
public class LongTestsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Path[] JUNIT = {place(Test.class), place(Tag.class)};
  private static final String TEST = "@org.junit.jupiter.api.Test ";
  private static final String LONG = "@org.junit.jupiter.api.Tag(\"long\") ";
  private static final String REAL = "@org.junit.jupiter.api.Tag(\"real-processes\") ";

  @TempDir private static Path folder;
  private static House planted;

  @Test
  void whateverTheShortBuildLeavesOutHasAStandIn() throws IOException {
    List<String> list =
        Files.readAllLines(ROOT.resolve("distribution/src/test/resources/long-tests.txt"));
    LongTests tests = new LongTests(House.read(ROOT), list);

    assertThat(tests.tagged()).hasSizeGreaterThan(40);
    assertThat(tests.breaches()).isEmpty();
  }

  @Test
  void continuousIntegrationAndMavenByItselfLeaveNothingOut() throws IOException {
    assertThat(Files.readString(ROOT.resolve(".ci/run"))).endsWith("\nexec ./build --whole\n");
    String project = Files.readString(ROOT.resolve("pom.xml"));
    assertThat(project).containsOnlyOnce("<terrace.leftOut>nothing</terrace.leftOut>");
    assertThat(project).containsOnlyOnce("<terrace.leftOut>long</terrace.leftOut>");
    for (Module module : House.read(ROOT).modules()) {
      assertThat(Files.readString(ROOT.resolve(module.folder()).resolve("pom.xml")))
          .as(module.folder())
          .doesNotContain("leftOut", "excludedGroups", "<groups>", "terrace.depth");
    }
  }

  @Test
  void classesAndMethodsThatAreTaggedAreFound() throws IOException {
    assertThat(tests().tagged())
        .containsExactly("org.shop.LongTest", "org.shop.PartTest#all", "org.shop.SeveralTest$Long");
  }

  @Test
  void aListThatNamesEachWithWhatIsRunIsRight() throws IOException {
    assertThat(
            tests(
                    "# A remark",
                    "",
                    "org.shop.LongTest: org.shop.PartTest#one, org.shop.InheritingTest",
                    "org.shop.PartTest#all: org.shop.PartTest",
                    "org.shop.SeveralTest$Long: org.shop.SeveralTest$Brief")
                .breaches())
        .isEmpty();
  }

  @Test
  void oneThatIsTaggedAndNotListedIsNamed() throws IOException {
    assertThat(
            tests(
                    "org.shop.LongTest: org.shop.PartTest",
                    "org.shop.SeveralTest$Long: org.shop.PartTest")
                .breaches())
        .containsExactly(
            "org.shop.PartTest#all is tagged long: name in long-tests.txt what ./build runs in its"
                + " place");
  }

  @Test
  void aLineThatNothingNeedsIsNamed() throws IOException {
    assertThat(breachesBeside("org.shop.PartTest#one: org.shop.PartTest"))
        .containsExactly(
            "long-tests.txt: nothing needs the line of org.shop.PartTest#one, which is not tagged");
  }

  @Test
  void aStandInThatIsLeftOutItselfIsNamedWhateverIsTagged() throws IOException {
    for (String leftOut :
        List.of(
            "org.shop.LongTest",
            "org.shop.LongTest#sells",
            "org.shop.LongTest$Inner",
            "org.shop.PartTest#all",
            "org.shop.HeirOfLongTest",
            "org.shop.SeveralTest$Long")) {
      assertThat(tests("org.shop.LongTest: " + leftOut).breaches())
          .as(leftOut)
          .contains(
              "long-tests.txt: "
                  + leftOut
                  + " stands in for org.shop.LongTest, and ./build runs none such");
    }
  }

  @Test
  void aStandInThatDoesNotExistOrIsNoTestIsNamed() throws IOException {
    for (String none :
        List.of(
            "org.shop.GoneTest",
            "org.shop.PartTest#gone",
            "org.shop.Helper",
            "org.shop.PartTest#help",
            "org.shop.Contract")) {
      assertThat(tests("org.shop.LongTest: " + none).breaches())
          .as(none)
          .anyMatch(breach -> breach.startsWith("long-tests.txt: " + none + " stands in for"));
    }
  }

  @Test
  void aLineThatCannotBeReadIsRefused() {
    assertThatThrownBy(() -> tests("org.shop.LongTest org.shop.PartTest"))
        .hasMessageContaining("expected 'LONG: STAND-IN, ...'")
        .hasMessageContaining("org.shop.LongTest org.shop.PartTest");
    assertThatThrownBy(() ->
            tests(
                "org.shop.LongTest: org.shop.PartTest",
                "org.shop.LongTest: org.shop.InheritingTest"))
        .hasMessageContaining("names twice: org.shop.LongTest");
  }

  private List<String> breachesBeside(String line) throws IOException {
    return tests(
            line,
            "org.shop.LongTest: org.shop.PartTest",
            "org.shop.PartTest#all: org.shop.PartTest",
            "org.shop.SeveralTest$Long: org.shop.PartTest")
        .breaches();
  }

  private static LongTests tests(String... list) throws IOException {
    return new LongTests(planted, List.of(list));
  }

  @BeforeAll
  static void plant() throws IOException {
    String nested = "@org.junit.jupiter.api.Nested ";
    planted =
        new PlantedHouse(folder)
            .module("shop")
            .test(
                "shop",
                "package org.shop; "
                    + REAL
                    + LONG
                    + "class LongTest { "
                    + TEST
                    + "void sells() {} "
                    + nested
                    + "class Inner { "
                    + TEST
                    + "void buys() {} } }")
            .test(
                "shop",
                "package org.shop; "
                    + REAL
                    + "class PartTest { "
                    + TEST
                    + LONG
                    + "void all() {} "
                    + TEST
                    + "void one() {} void help() { String s = \"long\"; } }")
            .test(
                "shop",
                "package org.shop; class SeveralTest { "
                    + nested
                    + LONG
                    + "class Long { "
                    + TEST
                    + "void all() {} } "
                    + nested
                    + "class Brief { "
                    + TEST
                    + "void one() {} } }")
            .test("shop", "package org.shop; class Helper { void one() {} }")
            .test("shop", "package org.shop; abstract class Contract { " + TEST + "void one() {} }")
            .test("shop", "package org.shop; class InheritingTest extends Contract {}")
            .test("shop", "package org.shop; class HeirOfLongTest extends LongTest {}")
            .build(JUNIT);
  }

  private static Path place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
