package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Launch;
import org.terrace.nodes.fault.Hold;
import org.terrace.testing.Await;

/** Faults by which an agent holds a server from outside. */
@Timeout(120)
@Tag("real-processes")
class AgentHoldTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private AgentHost host;

  @BeforeEach
  void start() {
    AgentLine line =
        AgentLine.start(
            "one", JavaCommand.small(List.of("-Xmx96m"), AgentProgram.class, folder.toString()));
    HostFacts facts = line.awaitFacts();
    host = new AgentHost("one", line, facts, facts, false, TimeSource.system());
  }

  @AfterEach
  void end() {
    host.close();
  }

  @Test
  void busyWorkStaysInTheControlGroupOfItsServerAndEndsWithTheHold() throws Exception {
    List<String> command = host.limited("database1", 0.5, List.of("sleep", "1000"));
    assumeTrue(command.size() > 2, () -> host.facts().limitWarning().orElse("no limits"));
    Path group = Path.of(command.get(3));
    host.start(new Launch("database1", command, Map.of(), Path.of("/"), false));
    assertThat(Await.until(SOON, () -> members(group) == 1)).isTrue();
    HoldPlan plan = new HoldPlan.Processor("database1");
    host.requirePermitted(plan);
    Hold hold = host.hold(plan);
    int cores = host.facts().cores();

    hold.begin();

    assertThat(Await.until(SOON, () -> members(group) == 1 + cores)).isTrue();
    assertThat(hold.end()).containsExactly(Map.entry("processes", Integer.toString(cores)));
    assertThat(members(group)).isEqualTo(1);

    hold.begin();
    assertThat(Await.until(SOON, () -> members(group) == 1 + cores)).isTrue();
    host.close();
    assertThat(Await.until(SOON, () -> !Files.exists(group.getParent()))).isTrue();
  }

  private static long members(Path group) {
    try {
      return Files.readAllLines(group).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void busyWorkIsRefusedWhereNothingWouldBoundIt() {
    assertThatThrownBy(() -> host.requirePermitted(new HoldPlan.Processor("web1")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("web1 has no limit of processor time here")
        .hasMessageContaining("limits: {web1: {cpu: 1}}");
  }
}
