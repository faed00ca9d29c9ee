package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.hosts.files.AgentFolder;
import org.terrace.nodes.machine.HostClocks;
import org.terrace.testing.Await;

/** A runner that is killed at once while it has a governor of the machine changed. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class KilledGovernorTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path folder;
  @TempDir private Path policies;
  @TempDir private Path notes;
  private Path governor;
  private Process runner;
  private List<ProcessHandle> started;

  /** Lays the kernel's files out in a folder, and starts a runner that changes one. */
  @BeforeEach
  void start() throws Exception {
    Path policy = Files.createDirectory(policies.resolve("policy0"));
    Files.writeString(policy.resolve("affected_cpus"), "0\n");
    Files.writeString(
        policy.resolve("scaling_available_governors"), "conservative performance schedutil\n");
    Files.writeString(policy.resolve("scaling_cur_freq"), "1197000\n");
    Files.writeString(policy.resolve("cpuinfo_max_freq"), "2261000\n");
    governor = Files.writeString(policy.resolve("scaling_governor"), "schedutil\n");
    runner =
        new ProcessBuilder(
                JavaCommand.small(
                    List.of("-Xmx96m"),
                    DoomedGovernor.class,
                    folder.toString(),
                    policies.toString(),
                    notes.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said = runner.inputReader(StandardCharsets.UTF_8);
    assertThat(said.readLine()).isEqualTo("started");
    assertThat(value()).isEqualTo("conservative");
    started = runner.descendants().toList();
  }

  @AfterEach
  void end() {
    runner.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  /** The first line of the file, which unlike the kernel's is empty while it is written. */
  private String value() {
    try {
      return Files.readString(governor).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theKeeperGivesTheGovernorBack() {
    runner.destroyForcibly();

    assertThat(Await.until(SOON, () -> value().equals("schedutil"))).isTrue();
    assertThat(notes).isEmptyDirectory();
  }

  /** No server of this runner was limited, as of one whose servers are on other hosts. */
  @Test
  void theKeeperRemovesControlGroupsThatNoServerCameToHave() {
    assumeTrue(!groups().isEmpty(), "no control groups here");

    runner.destroyForcibly();

    assertThat(Await.until(SOON, () -> groups().isEmpty())).as("left: %s", groups()).isTrue();
  }

  /** The control groups that the runner has made. */
  private List<String> groups() {
    try {
      Process find =
          new ProcessBuilder("find", "/sys/fs/cgroup", "-name", "terrace-" + runner.pid() + "-*")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return find.inputReader(StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As where the kernel ends all processes of a container, or a user all of a session. */
  @Test
  @Tag("long")
  void whatItsKeeperCouldNotGiveBackTheNextRunDoesAndSays() {
    started.forEach(ProcessHandle::destroyForcibly);
    runner.destroyForcibly().onExit().join();
    assertThat(value()).isEqualTo("conservative");

    try (LocalServerHost next =
        new LocalServerHost(
            "local",
            folder,
            AgentFolder.inTemporary(),
            new HostClocks(policies, notes),
            TimeSource.system())) {
      assertThat(next.facts().leftovers())
          .contains(
              "gave %s back the governor schedutil, which a run that was killed had left at conservative"
                  .formatted(governor.getParent()));
    }
    assertThat(value()).isEqualTo("schedutil");
  }
}
