package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.ErrorCode;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Launch;
import org.terrace.testing.Await;
import tools.jackson.databind.node.ObjectNode;

/** A runner that says nothing more, though its end of the pipe stays open. */
@Timeout(120)
@Tag("real-processes")
class SilentRunnerTest {
  private static final Duration SOON = Duration.ofSeconds(40);

  @TempDir private Path folder;

  private AgentLine agent() {
    AgentLine line =
        AgentLine.start(
            "one", JavaCommand.small(List.of("-Xmx96m"), ImpatientAgent.class, folder.toString()));
    var _ = line.awaitFacts();
    return line;
  }

  @Test
  void anAgentThatHearsNothingEndsItsServersAndItself() throws IOException {
    AgentLine line = agent();
    Launch launch = new Launch("app1", List.of("sleep", "1000"), Map.of(), folder, false);
    ObjectNode with = AgentMessages.JSON.createObjectNode();
    with.put("process", 1).set("launch", AgentMessages.JSON.valueToTree(launch));
    ObjectNode start = AgentMessages.JSON.createObjectNode();
    start.put("id", 1).put("do", "start").set("with", with);
    line.messages().send(start);
    long pid =
        AgentMessages.parse(Objects.requireNonNull(line.messages().line())).path("is").asLong();
    CompletableFuture<ProcessHandle> server = ProcessHandle.of(pid).orElseThrow().onExit();

    assertThat(line.process().onExit()).succeedsWithin(SOON);

    assertThat(server).succeedsWithin(SOON);
    assertThat(line.process().exitValue()).isEqualTo(ErrorCode.CHECK_FAILED.exitCode());
    line.close(1);
  }

  @Test
  void oneThatHearsItsRunnerStays() {
    AgentLine line = agent();
    TimeSource time = TimeSource.system();
    long start = time.elapsedNanos();
    try (AgentConnection connection = new AgentConnection("one", line, time)) {
      assertThat(
              Await.until(
                  SOON,
                  () ->
                      time.elapsedNanos() - start > 2 * ImpatientAgent.SILENCE.toNanos()
                          || !line.process().isAlive()))
          .isTrue();

      assertThat(line.process().isAlive()).isTrue();
      assertThat(connection.clockOffset().readings()).isGreaterThan(10);
    }
  }
}
