package org.terrace.distribution.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.distribution.scripts.ScriptedProject.outputOf;

import java.io.IOException;
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
  private static final int PATIENCE_SECONDS = 60;

  @TempDir private Path folder;
  private ScriptedProject project;

  /** Sleeps for so many seconds that no other process has the same command line. */
  private String sleep;

  @BeforeEach
  void copyTheBuild() throws IOException {
    project = ScriptedProject.in(folder);
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
    Process build = project.start("setsid " + sleep + " >/dev/null 2>&1 &");
    String output = outputOf(build);
    assertThat(build.waitFor()).isEqualTo(1);
    assertThat(output).contains("left behind", sleep);
  }

  @Test
  @Tag("long")
  void aProcessOfAnotherEnvironmentAndSessionWithoutAParentIsNamedToo() throws Exception {
    Process build = project.start("env -i setsid sh -c '" + sleep + " >/dev/null 2>&1 &'");
    String output = outputOf(build);
    assertThat(build.waitFor()).as(output).isEqualTo(1);
    assertThat(output).contains("left behind", sleep);
  }

  @Test
  void whatCannotBeCheckedIsSaid() throws Exception {
    Process build = project.start("exit 0", "sh", "-c", "ulimit -m 4000000; exec setsid sh build");
    assertThat(outputOf(build)).contains("Build passed", "were not looked for");
    Path tool = project.resolve("tools/left-processes.sh");
    Files.writeString(tool, Files.readString(tool).replace("/proc/", "/no-such-folder/"));
    build = project.start("exit 0");
    assertThat(outputOf(build)).contains("Build passed", "was not checked");
  }

  @Test
  @Tag("long")
  void aBuildThatFailsNamesWhatItLeftToo() throws Exception {
    Process build = project.start("setsid " + sleep + " >/dev/null 2>&1 & exit 7");
    String output = outputOf(build);
    assertThat(build.waitFor()).isEqualTo(7);
    assertThat(output).contains("left behind", sleep);
  }

  @Test
  void aBuildThatLeavesNothingPasses() throws Exception {
    Process build = project.start("exit 0");
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
    Process build = project.start("sh -c 'kill -INT $$; echo the interrupt was ignored'; exit 0");
    assertThat(outputOf(build)).contains("Build passed").doesNotContain("ignored");
    assertThat(build.waitFor()).isZero();
  }

  @Test
  void aBuildWhoseFormatIsWrongEndsAtOnceAndSaysHowToMendIt() throws Exception {
    Process build = project.startWith("exec " + sleep, "echo 'Shop.java is wrong'; exit 1");
    assertThat(outputOf(build))
        .contains("Shop.java is wrong", "./build format mends it")
        .doesNotContain("Build passed", "left behind");
    assertThat(build.waitFor()).isEqualTo(1);
  }

  @Test
  void aBuildWaitsForTheCheckOfItsFormat() throws Exception {
    Process build =
        project.startWith(
            "touch compiled",
            "while [ ! -e compiled ]; do :; done; sleep 0.5; echo 'Shop.java is wrong'; exit 1");
    assertThat(outputOf(build)).contains("./build format mends it").doesNotContain("Build passed");
    assertThat(build.waitFor()).isEqualTo(1);
    assertThat(project.resolve("compiled")).exists();
  }

  @Test
  void helpIsPrintedWithoutMaven() throws Exception {
    Process build = project.start("echo Maven was run", "sh", "build", "--help");
    assertThat(outputOf(build))
        .contains("./build MODULE...", "./build format")
        .doesNotContain("Maven was run", "set -eu", "#");
    assertThat(build.waitFor()).isZero();
  }

  @Test
  void whatIsNoModuleIsRefusedBeforeMaven() throws Exception {
    Process build = project.start("echo Maven was run", "sh", "build", "shop");
    assertThat(outputOf(build))
        .contains("shop is no module", "--help")
        .doesNotContain("Maven was run");
    assertThat(build.waitFor()).isEqualTo(2);
    Files.createDirectory(project.resolve("shop"));
    Files.writeString(project.resolve("shop/pom.xml"), "<project/>");
    build = project.start("echo Maven was run", "sh", "build", "shop");
    assertThat(outputOf(build)).contains("Maven was run");
    assertThat(build.waitFor()).isZero();
  }

  private void endedBy(String signal) throws Exception {
    Process build =
        project.start(
            "setsid " + sleep + " & " + sleep + " & (" + sleep + " &); touch begun; wait");
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

  private List<ProcessHandle> sleepers() {
    String seconds = sleep.substring(sleep.indexOf(' ') + 1);
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().arguments().map(List::of).orElse(List.of()).equals(List.of(seconds)))
        .toList();
  }
}
