package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.hosts.files.AgentFolder;
import org.terrace.nodes.Launch;
import org.terrace.nodes.machine.HostClocks;
import org.terrace.testing.Await;

/** Real processes of a server that is bound to the processor whose clock follows its load. */
@Timeout(120)
@Tag("real-processes")
class RestartedGovernorTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final String NAME = "database1";

  @TempDir private Path folder;
  @TempDir private Path policies;
  @TempDir private Path notes;
  private LocalServerHost host;
  private ServerWatch watch;

  /** Lays the kernel's files out in a folder, and begins a run. */
  @BeforeEach
  void begin() throws IOException {
    PolicyFiles.governed(policies);
    host =
        new LocalServerHost(
            "local",
            folder,
            AgentFolder.in(folder),
            new HostClocks(policies, notes),
            TimeSource.system());
    WatchPlan.Watched server =
        new WatchPlan.Watched(
            NAME,
            NAME,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(INTERVAL));
    watch = host.watch(new WatchPlan(List.of(server), INTERVAL));
  }

  @AfterEach
  void end() {
    host.close();
  }

  private Process start() throws IOException {
    return host.start(new Launch(NAME, List.of("sleep", "100"), Map.of(), Path.of("/"), false));
  }

  /** Whether a process comes to be one that sleeps on the first processor alone. */
  private static boolean isBound(Process process) {
    return Await.until(SOON, () -> status(process).contains("Cpus_allowed_list:\t0\n"));
  }

  private static String status(Process process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"));
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void aServerThatIsStartedAgainIsBoundAsItWas() throws IOException {
    Process first = start();
    watch.enforceLimits();
    assertThat(isBound(first)).isTrue();
    host.kill(first, false);
    first.onExit().join();

    Process second = start();

    assertThat(isBound(second)).as(() -> status(second)).isTrue();
    assertThat(watch.end().limitsLost()).isEmpty();
  }

  @Test
  void oneThatIsNotBoundAtTheEndIsSaid() throws Exception {
    Process process = start();
    watch.enforceLimits();
    assertThat(isBound(process)).isTrue();
    Process freeing =
        new ProcessBuilder("taskset", "-acp", "0-1", Long.toString(process.pid()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(freeing.waitFor()).isZero();

    assertThat(watch.end().limitsLost())
        .singleElement()
        .asString()
        .startsWith("database1 might run on other processors (0-1) than on 0, which has the clock");
  }

  @Test
  void aGovernorThatTheKernelRefusesIsALimitThatWasLost() throws Exception {
    Process process = start();
    Path governor = policies.resolve("policy0").resolve("scaling_governor");
    Files.delete(governor);
    Files.createDirectory(governor); // which nobody writes to, whoever he is

    watch.enforceLimits();

    assertThat(isBound(process)).isTrue();
    assertThat(watch.end().limitsLost())
        .singleElement()
        .asString()
        .startsWith("the machine's clock cannot be controlled");
  }
}
