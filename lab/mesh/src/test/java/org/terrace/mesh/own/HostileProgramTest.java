package org.terrace.mesh.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;
import org.terrace.experiment.Trial;
import org.terrace.experiment.ValidityCheck;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

/** Programs that do not do what a specification says of them: each is named, and none is left. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class HostileProgramTest {
  private static final String PLACE = "127.43.2.1:8080";

  @TempDir private Path directory;

  /** A specification of one tier, whose process any test finds again by its variable. */
  private String specification(String command, String within) {
    return """
    kind: Experiment
    name: hostile
    topology: 0/1/0/0
    tiers:
      app:
        command: %s
        ready: {within: %s}
        environment: {SAID: %s}
    load: {closed: {users: 2, think: exp(50ms)}, mix: [{path: /}]}
    phases: {rampUp: 100ms, run: 5s, rampDown: 100ms}
    observe: {packets: false, sample: 500ms}
    network: 127.43
    """
        .formatted(command, within, mark());
  }

  private static String shell(String script) {
    return "[sh, -c, \"" + script.replace("\\", "\\\\").replace("\"", "\\\"") + "\"]";
  }

  private static String server(String place) {
    return "%s -XX:TieredStopAtLevel=1 -Xmx64m -cp '%s' org.terrace.mesh.own.OddServer %s"
        .formatted(
            JavaCommand.program(),
            Path.of(System.getProperty("terrace.root"), "lab/mesh/target/test-classes"),
            place);
  }

  private String mark() {
    return "mark-" + directory.getFileName();
  }

  private TerraceException refused(String command) {
    return refused(command, "2s");
  }

  private TerraceException refused(String command, String within) {
    TerraceException refusal =
        catchThrowableOfType(
            TerraceException.class,
            () -> OwnTrials.run(specification(command, within), directory, OwnTrials.told()));
    assertNothingIsLeft();
    return refusal;
  }

  private void assertNothingIsLeft() {
    assertThat(Await.until(Duration.ofSeconds(20), () -> left().isEmpty()))
        .as("%s", left())
        .isTrue();
  }

  /** The processes that carry the mark of this test. */
  private List<String> left() {
    return ProcessHandle.allProcesses()
        .filter(process -> environment(process.pid()).contains("SAID=" + mark()))
        .map(process -> process.pid() + " " + process.info().commandLine().orElse(""))
        .toList();
  }

  private static String environment(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // it has ended
    }
  }

  @Test
  void aProgramThatIsNotThereIsNamedBeforeAnythingStarts() {
    assertThat(refused("[no-such-program, x]"))
        .hasMessageStartingWith("the program 'no-such-program' of the tier app is not on the PATH")
        .hasMessageEndingWith("name it in tiers.app.command by its path");
    assertThat(refused("[./own-service/Shop.java]"))
        .hasMessageContaining("is no file that may be executed: ");
  }

  @Test
  void oneThatEndsAtOnceIsToldWithItsStatusAndItsLastLines() {
    assertThat(refused(shell("echo first; echo the disk is on fire >&2; exit 7")))
        .hasMessageContaining("app1 ended with exit status 7 instead of becoming ready")
        .hasMessageContaining("logs/app1.log:\n  first\n  the disk is on fire");
  }

  @Test
  @Tag("long")
  void oneThatNeverBecomesReadyAndIgnoresSigtermIsEndedWithItsChildren() {
    assertThat(refused(shell("trap '' TERM; sleep 1000 & setsid sleep 1000 & wait; sleep 1000")))
        .hasMessageContaining(
            "app1 did not accept connections at " + PLACE + " within 2 s (it listens nowhere)");
  }

  @Test
  void whatAProgramThatEndsLeavesBehindIsEndedToo() {
    assertThat(refused(shell("sleep 1000 & setsid sleep 1000 & exit 3")))
        .hasMessageContaining("ended with exit status 3");
  }

  @Test
  @Tag("long")
  void oneThatListensElsewhereIsToldWhere() {
    assertThat(refused(shell("exec " + server("wrong")), "10s"))
        .hasMessageContaining("did not accept connections at " + PLACE + " within 10 s")
        .hasMessageContaining("(it listens at 127.0.0.1:8080)");
  }

  @Test
  @Tag("long")
  void oneThatPrintsWithoutAnEndFillsNeitherMemoryNorDisk() throws IOException {
    TerraceException refusal =
        refused(
            shell(
                "head -c 60000000 /dev/zero | tr '\\0' x; yes $(printf %0400d 0) | head -c 60000000;"
                    + " echo; echo last; exit 4"),
            "100s");

    assertThat(refusal).hasMessageContaining("exit status 4").hasMessageEndingWith("\n  last");
    assertThat(String.valueOf(refusal.getMessage()).length()).isLessThan(9_000);
    assertThat(Files.size(directory.resolve("logs/app1.log"))).isBetween(60L << 20, 70L << 20);
  }

  @Test
  @Tag("long")
  void anInterruptWhileItStartsEndsIt() throws Exception {
    AtomicReference<Throwable> end = new AtomicReference<>();
    String specification = specification(shell("sleep 1000 & wait"), "1h");
    Thread trial =
        Thread.ofPlatform()
            .start(() -> {
              try {
                OwnTrials.run(specification, directory, OwnTrials.told());
              } catch (InterruptedException | TerraceException e) {
                end.set(e);
              }
            });
    assertThat(Await.until(Duration.ofSeconds(30), () -> left().size() > 1)).isTrue();
    trial.interrupt();
    trial.join(Duration.ofSeconds(30));

    assertThat(end.get()).isNotNull();
    assertNothingIsLeft();
  }

  @Test
  void oneThatRunsBehindAShellIsKilledAndStartedAgain() throws Exception {
    String faults = "faults: [{kill: app1, at: 1s, restart: 500ms}]\n";
    String specification = specification(shell(server("right") + " & wait"), "60s") + faults;
    Trial trial = OwnTrials.run(specification, directory, OwnTrials.told());

    assertThat(trial.validity())
        .filteredOn(check -> !check.passed())
        .extracting(ValidityCheck::check)
        .doesNotContain("servers-alive", "faults-happened");
    assertThat(trial.events()).extracting(Event::kind).contains(EventKinds.FAULT_KILL, "restart");
    assertThat(directory.resolve("logs/app1.log"))
        .content()
        .isEqualTo("told " + mark() + "\ntold " + mark() + "\n");
    assertNothingIsLeft();
  }
}
