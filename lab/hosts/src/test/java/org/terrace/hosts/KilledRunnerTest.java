package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;
import org.terrace.testing.Await;

/** A runner that is killed at once, with stopped servers, limits and faults on a host. */
@Timeout(120)
@Tag("real-processes")
class KilledRunnerTest {
  private static final Path STORAGE = Path.of("/sys/fs/cgroup/blkio");

  @TempDir private Path logs;
  @TempDir private Path folder;

  private Process runner;
  private final List<Long> processes = new ArrayList<>();
  private final List<Path> groups = new ArrayList<>();
  private long agent;

  /** Starts a runner that has broken what it can. */
  @BeforeEach
  void start() throws Exception {
    runner =
        new ProcessBuilder(
                JavaCommand.small(
                    List.of("-Xmx96m"), DoomedRunner.class, logs.toString(), folder.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    boolean held = false;
    BufferedReader said = runner.inputReader(StandardCharsets.UTF_8);
    for (String line = said.readLine(); !"started".equals(line); line = said.readLine()) {
      assertThat(line).as("the runner goes on").isNotNull();
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "agent" -> agent = Long.parseLong(words[1]);
        case "member" -> processes.add(Long.parseLong(words[1]));
        case "group" -> {
          groups.add(Path.of(words[1]));
          groups.add(Path.of(words[1]).getParent());
          assertThat(groups).allMatch(Files::exists);
        }
        case "held" -> held = true;
        case "storage", "waits" -> assertThat(storageGroups()).isNotEmpty();
        case "free" -> {
          if (words.length == 1) {
            assertThat(storageGroups()).isEmpty();
          }
        }
        default -> throw new IOException(line);
      }
    }
    assertThat(processes).hasSizeGreaterThanOrEqualTo(2);
    processes.add(agent);
    assertThat(processes).allMatch(KilledRunnerTest::isRunning);
    assertThat(held && !tables().contains("app1")).as("the fault is in force").isFalse();
  }

  @AfterEach
  void end() {
    runner.destroyForcibly();
  }

  @Test
  void theAgentEndsAllAndHealsAllWithinItsTime() {
    runner.destroyForcibly();

    assertThatNothingIsLeft();
  }

  /** Its keeper and the kernel end what it can no longer end in order. */
  @Test
  @Tag("long")
  void anAgentThatIsKilledItselfLeavesNothingEither() {
    assertThat(ProcessHandle.of(agent).map(ProcessHandle::destroyForcibly)).contains(true);

    assertThatNothingIsLeft();
  }

  private void assertThatNothingIsLeft() {
    assertThat(
            Await.until(
                Duration.ofSeconds(Agent.END_SECONDS),
                () ->
                    processes.stream().noneMatch(KilledRunnerTest::isRunning)
                        && groups.stream().noneMatch(Files::exists)
                        && storageGroups().isEmpty()
                        && !tables().contains("app1")))
        .as(
            "left: %s of %s, %s, %s, %s",
            processes.stream().filter(KilledRunnerTest::isRunning).toList(),
            processes,
            groups.stream().filter(Files::exists).toList(),
            storageGroups(),
            tables())
        .isTrue();
  }

  /** The control groups by which the agent holds storage back. */
  private List<Path> storageGroups() {
    try (var found = Files.newDirectoryStream(STORAGE, "terrace-" + agent + "-*")) {
      List<Path> all = new ArrayList<>();
      found.forEach(all::add);
      return all;
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean isRunning(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** The tables of the packet filter; none where it is not installed. */
  private static String tables() {
    try {
      Process process =
          new ProcessBuilder("nft", "list", "tables")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
