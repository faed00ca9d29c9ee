package org.terrace.distribution.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.distribution.scripts.ScriptedProject.outputOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code ./build} and the tests: those that it leaves out, and that passed only again.
 */
@Tag("real-processes")
@Tag("untimed")
class TestsOfBuildTest {
  @TempDir private Path folder;
  private ScriptedProject project;

  @BeforeEach
  void copyTheBuild() throws IOException {
    project = ScriptedProject.in(folder);
  }

  @Test
  void twoTestsThatPassedOnlyAgainAreCountedAndThreeFailTheBuild() throws Exception {
    assertThat(buildWithFlakyTests(2)).contains("only when run again: 2,", "Build passed");
    assertThat(buildWithFlakyTests(3))
        .contains("only when run again: 3,", "org.shop.ShopTest.sells3: late")
        .doesNotContain("Build passed");
  }

  @Test
  @Tag("long")
  void aTestThatPassedOnlyAgainWithoutAMessageIsListedWithTheType() throws Exception {
    String output =
        buildWithReport(
            """
            <testcase name="sells" classname="org.shop.ShopTest">
            <flakyError type="org.shop.Late"><stackTrace>Late: message="x"</stackTrace></flakyError>
            </testcase>
            <testcase name="buys" classname="org.shop.ShopTest">
            <flakyFailure><stackTrace>Late</stackTrace></flakyFailure>
            </testcase>
            <testcase name="returns" classname="org.shop.ShopTest">
            <skipped/>
            </testcase>
            """);
    assertThat(output.lines())
        .contains(
            "  org.shop.ShopTest.sells: org.shop.Late",
            "  org.shop.ShopTest.buys",
            "  org.shop.ShopTest.returns");
  }

  @Test
  void theShortBuildTellsMavenSoAndCountsWhatItLeftOut() throws Exception {
    plantLongTests();
    Process build = project.start("echo told $*");
    assertThat(outputOf(build))
        .contains(
            "-Dterrace.depth=short",
            "Short build: test classes with long tests that were left out: 2, with fewer"
                + " repetitions: 1. ./build --whole runs all of it (CONTRIBUTING.md).",
            "Build passed")
        .doesNotContain("-Dterrace.depth=whole");
    assertThat(build.waitFor()).isZero();
  }

  @Test
  void theWholeBuildLeavesNothingOutAndDoesNotSaySo() throws Exception {
    plantLongTests();
    Process build = project.start("echo told $*", "sh", "build", "--whole");
    assertThat(outputOf(build))
        .contains("-Dterrace.depth=whole", "Build passed")
        .doesNotContain("-Dterrace.depth=short", "left out");
    assertThat(build.waitFor()).isZero();
    build = project.start("exit 7", "sh", "build", "--whole");
    assertThat(outputOf(build)).doesNotContain("Build passed");
    assertThat(build.waitFor()).isEqualTo(7);
  }

  @Test
  @Tag("long")
  void theShortBuildOfAModuleCountsItsOwnAndTakesWholeToo() throws Exception {
    plantLongTests();
    Process build = project.start("echo told $*", "sh", "build", "shop");
    assertThat(outputOf(build))
        .contains("-Dterrace.depth=short", "left out: 1, with", "./build --whole shop runs");
    assertThat(build.waitFor()).isZero();
    for (String[] command :
        new String[][] {{"sh", "build", "shop", "--whole"}, {"sh", "build", "--whole", "shop"}}) {
      build = project.start("echo told $*", command);
      assertThat(outputOf(build))
          .contains("-Dterrace.depth=whole", "--projects shop --also-make")
          .doesNotContain("left out");
      assertThat(build.waitFor()).isZero();
    }
  }

  /** Two modules with a long class each, of which one also repeats less, and what is none. */
  private void plantLongTests() throws IOException {
    for (String module : List.of("shop", "till")) {
      Path tests = Files.createDirectories(project.resolve(module + "/src/test/java/org"));
      Files.writeString(project.resolve(module + "/pom.xml"), "<project/>");
      Files.writeString(
          tests.resolve("LongTest.java"), "@Tag(\"long\") @Tag(\"long\")\n@Tag(\"long\")");
      Files.writeString(tests.resolve("OtherTest.java"), "@Tag(\"untimed\")");
      Path compiled = Files.createDirectories(project.resolve(module + "/target/src/test/java"));
      Files.writeString(compiled.resolve("OldTest.java"), "@Tag(\"long\")");
    }
    Files.writeString(
        project.resolve("till/src/test/java/org/FewTest.java"),
        "int kills = %s.of(4, 1);".formatted("Depth"));
  }

  private String buildWithFlakyTests(int count) throws Exception {
    StringBuilder report = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      report
          .append("<testcase name=\"sells" + i + "\" classname=\"org.shop.ShopTest\">\n")
          .append("<flakyFailure message=\"late\">x</flakyFailure>\n")
          .append("<flakyFailure message=\"late\">x</flakyFailure>\n</testcase>\n");
    }
    return buildWithReport(report.toString());
  }

  private String buildWithReport(String tests) throws Exception {
    Files.writeString(project.resolve("report.xml"), "<testsuite>\n" + tests + "</testsuite>\n");
    Process build =
        project.start(
            "mkdir -p shop/target/surefire-reports"
                + " && cp report.xml shop/target/surefire-reports/TEST-org.shop.ShopTest.xml");
    return outputOf(build);
  }
}
