package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Await;

/**
 * The script {@code ./build} in a project of its own, whose Maven is a script that leaves processes
 * behind: however the build ends, they are named and ended.
 */
@Tag("real-processes")
@Tag("untimed")
class BuildScriptTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final int PATIENCE_SECONDS = 60;

  @TempDir private Path project;

  /** Sleeps for so many seconds that no other process has the same command line. */
  private String sleep;

  @BeforeEach
  void copyTheBuild() throws IOException {
    Files.copy(ROOT.resolve("build"), project.resolve("build"));
    Files.createDirectory(project.resolve("tools"));
    try (DirectoryStream<Path> tools = Files.newDirectoryStream(ROOT.resolve("tools"), "*.sh")) {
      for (Path tool : tools) {
        Files.copy(tool, project.resolve("tools").resolve(tool.getFileName()));
      }
    }
    sleep = "sleep " + (100_000 + ProcessHandle.current().pid());
  }

  @AfterEach
  void nothingIsLeft() {
    List<ProcessHandle> left = sleepers();
    left.forEach(ProcessHandle::destroyForcibly);
    assertThat(left).isEmpty();
  }

  @Test
  void aBuildThatLeavesAProcessNamesItAndFails() throws Exception {
    Process build = start("setsid " + sleep + " >/dev/null 2>&1 &");
    String output = outputOf(build);
    assertThat(build.waitFor()).isEqualTo(1);
    assertThat(output).contains("left behind", sleep);
  }

  @Test
  @Tag("long")
  void aProcessOfAnotherEnvironmentAndSessionWithoutAParentIsNamedToo() throws Exception {
    Process build = start("env -i setsid sh -c '" + sleep + " >/dev/null 2>&1 &'");
    String output = outputOf(build);
    assertThat(build.waitFor()).as(output).isEqualTo(1);
    assertThat(output).contains("left behind", sleep);
  }

  @Test
  void whatCannotBeCheckedIsSaid() throws Exception {
    Process build = start("exit 0", "sh", "-c", "ulimit -m 4000000; exec setsid sh build");
    assertThat(outputOf(build)).contains("Build passed", "were not looked for");
    Path tool = project.resolve("tools/left-processes.sh");
    Files.writeString(tool, Files.readString(tool).replace("/proc/", "/no-such-folder/"));
    build = start("exit 0");
    assertThat(outputOf(build)).contains("Build passed", "was not checked");
  }

  @Test
  @Tag("long")
  void aBuildThatFailsNamesWhatItLeftToo() throws Exception {
    Process build = start("setsid " + sleep + " >/dev/null 2>&1 & exit 7");
    String output = outputOf(build);
    assertThat(build.waitFor()).isEqualTo(7);
    assertThat(output).contains("left behind", sleep);
  }

  @Test
  void aBuildThatLeavesNothingPasses() throws Exception {
    Process build = start("exit 0");
    String output = outputOf(build);
    assertThat(build.waitFor()).as(output).isZero();
    assertThat(output)
        .contains("Build passed", "No test needed a second run.")
        .doesNotContain("not checked", "not looked for");
  }

  @Test
  @Tag("long")
  void anInterruptOfTheBuildAloneEndsAll() throws Exception {
    endedBy("kill -INT %d");
  }

  @Test
  @Tag("long")
  void anInterruptOfTheWholeGroupEndsAll() throws Exception {
    endedBy("kill -INT -%d");
  }

  @Test
  void aKillOfTheBuildAloneEndsAll() throws Exception {
    endedBy("kill -KILL %d");
  }

  @Test
  @Tag("long")
  void aKillOfTheWholeGroupEndsAll() throws Exception {
    endedBy("kill -KILL -%d");
  }

  @Test
  @Tag("long")
  void whatMavenStartsCanBeInterrupted() throws Exception {
    Process build = start("sh -c 'kill -INT $$; echo the interrupt was ignored'; exit 0");
    assertThat(outputOf(build)).contains("Build passed").doesNotContain("ignored");
    assertThat(build.waitFor()).isZero();
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
    Process build = start("echo told $*");
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
    Process build = start("echo told $*", "sh", "build", "--whole");
    assertThat(outputOf(build))
        .contains("-Dterrace.depth=whole", "Build passed")
        .doesNotContain("-Dterrace.depth=short", "left out");
    assertThat(build.waitFor()).isZero();
    build = start("exit 7", "sh", "build", "--whole");
    assertThat(outputOf(build)).doesNotContain("Build passed");
    assertThat(build.waitFor()).isEqualTo(7);
  }

  @Test
  @Tag("long")
  void theShortBuildOfAModuleCountsItsOwnAndTakesWholeToo() throws Exception {
    plantLongTests();
    Process build = start("echo told $*", "sh", "build", "shop");
    assertThat(outputOf(build))
        .contains("-Dterrace.depth=short", "left out: 1, with", "./build --whole shop runs");
    assertThat(build.waitFor()).isZero();
    for (String[] command :
        new String[][] {{"sh", "build", "shop", "--whole"}, {"sh", "build", "--whole", "shop"}}) {
      build = start("echo told $*", command);
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

  @Test
  void aBuildWhoseFormatIsWrongEndsAtOnceAndSaysHowToMendIt() throws Exception {
    Process build = startWith("exec " + sleep, "echo 'Shop.java is wrong'; exit 1");
    assertThat(outputOf(build))
        .contains("Shop.java is wrong", "./build format mends it")
        .doesNotContain("Build passed", "left behind");
    assertThat(build.waitFor()).isEqualTo(1);
  }

  @Test
  void aBuildWaitsForTheCheckOfItsFormat() throws Exception {
    Process build =
        startWith(
            "touch compiled",
            "while [ ! -e compiled ]; do :; done; sleep 0.5; echo 'Shop.java is wrong'; exit 1");
    assertThat(outputOf(build)).contains("./build format mends it").doesNotContain("Build passed");
    assertThat(build.waitFor()).isEqualTo(1);
    assertThat(project.resolve("compiled")).exists();
  }

  @Test
  void helpIsPrintedWithoutMaven() throws Exception {
    Process build = start("echo Maven was run", "sh", "build", "--help");
    assertThat(outputOf(build))
        .contains("./build MODULE...", "./build format")
        .doesNotContain("Maven was run", "set -eu", "#");
    assertThat(build.waitFor()).isZero();
  }

  @Test
  void whatIsNoModuleIsRefusedBeforeMaven() throws Exception {
    Process build = start("echo Maven was run", "sh", "build", "shop");
    assertThat(outputOf(build))
        .contains("shop is no module", "--help")
        .doesNotContain("Maven was run");
    assertThat(build.waitFor()).isEqualTo(2);
    Files.createDirectory(project.resolve("shop"));
    Files.writeString(project.resolve("shop/pom.xml"), "<project/>");
    build = start("echo Maven was run", "sh", "build", "shop");
    assertThat(outputOf(build)).contains("Maven was run");
    assertThat(build.waitFor()).isZero();
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
        start(
            "mkdir -p shop/target/surefire-reports"
                + " && cp report.xml shop/target/surefire-reports/TEST-org.shop.ShopTest.xml");
    return outputOf(build);
  }

  private void endedBy(String signal) throws Exception {
    Process build =
        start("setsid " + sleep + " & " + sleep + " & (" + sleep + " &); touch begun; wait");
    Path begun = project.resolve("begun");
    assertThat(
            Await.until(
                Duration.ofSeconds(PATIENCE_SECONDS),
                () -> !build.isAlive() || (Files.exists(begun) && sleepers().size() >= 3)))
        .isTrue();
    assertThat(build.isAlive()).isTrue();
    new ProcessBuilder("sh", "-c", signal.formatted(build.pid())).start().waitFor();
    assertThat(build.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    for (ProcessHandle sleeper : sleepers()) {
      sleeper.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Starts the build as the leader of a group of its own, with this script in Maven's place. */
  private Process start(String maven) throws IOException {
    return start(maven, "setsid", "sh", "build");
  }

  private Process start(String maven, String... command) throws IOException {
    return startWith(maven, "exit 0", command);
  }

  private Process startWith(String maven, String formatCheck) throws IOException {
    return startWith(maven, formatCheck, "setsid", "sh", "build");
  }

  private Process startWith(String maven, String formatCheck, String... command)
      throws IOException {
    Path wrapper = project.resolve("mvnw");
    Files.writeString(
        wrapper,
        "#!/bin/sh\ncd \"$(dirname \"$0\")\"\ncase \"$*\" in *spotless*) "
            + formatCheck
            + " ;; esac\n"
            + maven);
    assertThat(wrapper.toFile().setExecutable(true)).isTrue();
    ProcessBuilder build = new ProcessBuilder(command);
    build.directory(project.toFile()).redirectErrorStream(true);
    build.environment().put("TERRACE_JAVA_HOME", System.getProperty("java.home"));
    return build.start();
  }

  private static String outputOf(Process build) throws IOException {
    return new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private List<ProcessHandle> sleepers() {
    String seconds = sleep.substring(sleep.indexOf(' ') + 1);
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().arguments().map(List::of).orElse(List.of()).equals(List.of(seconds)))
        .toList();
  }
}
