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
  @TempDir private Path logs;
  @TempDir private Path folder;

  @Test
  void theAgentEndsAllAndHealsAllWithinItsTime() throws Exception {
    Process runner =
        new ProcessBuilder(
                JavaCommand.small(
                    List.of("-Xmx96m"), DoomedRunner.class, logs.toString(), folder.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<Long> processes = new ArrayList<>();
    List<Path> groups = new ArrayList<>();
    boolean held = false;
    try (BufferedReader said = runner.inputReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); !"started".equals(line); line = said.readLine()) {
        assertThat(line).as("the runner goes on").isNotNull();
        String[] words = line.split(" ", 2);
        switch (words[0]) {
          case "agent", "member" -> processes.add(Long.parseLong(words[1]));
          case "group" -> groups.add(Path.of(words[1]));
          case "held" -> held = true;
          default -> throw new IOException(line);
        }
      }
      assertThat(processes).hasSizeGreaterThanOrEqualTo(3);
      assertThat(processes).allMatch(KilledRunnerTest::isRunning);
      assertThat(held && !tables().contains("app1")).as("the fault is in force").isFalse();

      runner.destroyForcibly();

      assertThat(
              Await.until(
                  Duration.ofSeconds(Agent.END_SECONDS),
                  () ->
                      processes.stream().noneMatch(KilledRunnerTest::isRunning)
                          && groups.stream().noneMatch(Files::exists)
                          && !tables().contains("app1")))
          .as(
              "left: %s of %s, %s, %s",
              processes.stream().filter(KilledRunnerTest::isRunning).toList(),
              processes,
              groups,
              tables())
          .isTrue();
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
