package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.evidence.MonotonicClock;
import org.terrace.evidence.PauseLog;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
class JvmPausesTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path directory;

  @Test
  void pausesOfAKilledJvmLieWithinItsLifeOnTheWallClock() throws Exception {
    Path log = directory.resolve("app1.gc.log");
    long before = TimeSource.system().epochNanos();
    long after;
    try (Supervisor supervisor =
        new Supervisor(directory, "pauses-" + directory.getFileName(), TimeSource.system())) {
      List<String> command =
          JavaCommand.small(List.of("-Xmx16m", PauseLog.option(log)), GarbageMaker.class);
      Node node =
          supervisor.start(
              NodeSpecification.of("app1", command, new Readiness.Line("ready"), SOON));
      supervisor.awaitReady(node);
      assertThat(Await.until(SOON, () -> lines(log) > 20)).isTrue();
      node.kill();
      after = node.exit().join().timeNanos();
    }
    List<Event> events = PauseLog.read(log, "app1", MonotonicClock.measure(TimeSource.system()));
    assertThat(events)
        .filteredOn(event -> event.kind().equals(EventKinds.GC_PAUSE))
        .hasSizeGreaterThan(5)
        .anySatisfy(
            event -> assertThat(event.attributes()).containsEntry("operation", "SerialGCCollect"))
        .allSatisfy(event -> {
          assertThat(event.attributes())
              .containsKeys("cause", "heap", "reachingNanos", "leavingNanos");
          assertThat(event.startNanos()).isGreaterThan(before);
          assertThat(event.endNanos()).isGreaterThan(event.startNanos()).isLessThan(after);
        });
  }

  /** The same pauses, told by one JVM with nanoseconds of the monotonic clock and with dates. */
  @Test
  void aDatedLogOfTheSameJvmGivesTheSamePauses() throws Exception {
    Path exact = directory.resolve("exact.log");
    Path dated = directory.resolve("dated.log");
    List<Event> expected;
    try (Supervisor supervisor =
        new Supervisor(directory, "dated-" + directory.getFileName(), TimeSource.system())) {
      List<String> options =
          List.of(
              "-Xmx16m",
              PauseLog.option(exact),
              PauseLog.DATED_OPTION.replace("pauses.log", dated.toString()));
      List<String> command = JavaCommand.of(options, GarbageMaker.class);
      Node node =
          supervisor.start(
              NodeSpecification.of("app1", command, new Readiness.Line("ready"), SOON));
      supervisor.awaitReady(node);
      assertThat(Await.until(SOON, () -> lines(dated) > 40)).isTrue();
      node.kill();
      node.exit().join();
      expected = PauseLog.read(exact, "app1", MonotonicClock.measure(TimeSource.system()));
    }

    List<Event> found = PauseLog.read(dated, "app1");

    int common = Math.min(found.size(), expected.size()); // it may die between the two lines
    assertThat(common).isGreaterThan(5).isGreaterThanOrEqualTo(expected.size() - 1);
    for (int pause = 0; pause < common; pause++) {
      Event one = found.get(pause);
      Event other = expected.get(pause);
      assertThat(one.kind()).isEqualTo(other.kind());
      assertThat(one.attributes()).isEqualTo(other.attributes());
      assertThat(one.endNanos() - one.startNanos())
          .isEqualTo(other.endNanos() - other.startNanos());
      assertThat(one.endNanos()).isCloseTo(other.endNanos(), within(5_000_000L));
    }
  }

  private static int lines(Path log) {
    try {
      return Files.readAllLines(log).size();
    } catch (IOException e) {
      return 0;
    }
  }
}
