package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessStat;
import org.terrace.testing.Await;

/**
 * The end of a server that a shell started and stays in front of. It has no mark in its
 * environment, as those have none that write their title over it.
 */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class OwnServerEndTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String SERVER =
      "echo $$ >server; echo ready; while :; do sleep 1000 & wait $!; done";

  @TempDir Path directory;

  private long server;

  @AfterEach
  void endWhatATestLeft() {
    if (server > 0) {
      ProcessHandle.of(server).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private Node started(Supervisor supervisor, String program) throws Exception {
    Files.writeString(directory.resolve("server.sh"), program);
    Files.writeString(directory.resolve("run.sh"), "env -i sh server.sh\nexit 0\n");
    Node node =
        supervisor.start(
            NodeSpecification.of(
                    "web1",
                    List.of("sh", "run.sh"),
                    new NodeSpecification.Readiness.Line("ready"),
                    SOON)
                .within(directory, Map.of())
                .forking(Signal.TERM));
    supervisor.awaitReady(node);
    server = Long.parseLong(Files.readString(directory.resolve("server")).strip());
    return node;
  }

  private Supervisor supervisor() {
    return new Supervisor(directory, "test-" + directory.getFileName(), TimeSource.system());
  }

  private boolean isServerAlive() {
    return ProcessStat.of(server).map(ProcessStat::isAlive).orElse(false);
  }

  @Test
  void aServerBehindAShellIsAskedToEndAndHasItsTime() throws Exception {
    Supervisor supervisor = supervisor();
    Node node = started(supervisor, "trap 'sleep 0.5; echo asked >told; exit 0' TERM; " + SERVER);

    supervisor.close();

    assertThat(node.isAlive()).isFalse();
    assertThat(isServerAlive()).isFalse();
    assertThat(directory.resolve("told")).hasContent("asked");
  }

  @Test
  void aServerBehindAShellThatDoesNotEndWhenAskedIsKilled() throws Exception {
    Supervisor supervisor = supervisor();
    started(supervisor, "trap '' TERM; " + SERVER);

    supervisor.close();

    assertThat(Await.until(SOON, () -> !isServerAlive())).isTrue();
  }

  @Test
  void aServerEndsThoughItsShellDiedBefore() throws Exception {
    Supervisor supervisor = supervisor();
    Node node = started(supervisor, SERVER);
    Signals.send(node.pid(), Signal.KILL);
    assertThat(node.endsWithin(SOON)).isTrue();
    assertThat(isServerAlive()).isTrue();

    supervisor.close();

    assertThat(Await.until(SOON, () -> !isServerAlive())).isTrue();
  }
}
