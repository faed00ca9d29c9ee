package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
class PauseLogTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final MonotonicClock IDENTITY = new MonotonicClock(0, 0);

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

  private static int lines(Path log) {
    try {
      return Files.readAllLines(log).size();
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void everyCollectorsPausesAreToldFromOtherSafepoints() throws IOException {
    Path log = directory.resolve("log");
    Files.writeString(
        log,
        """
        [100ns][gc] Using Serial
        [2000ns][gc       ] GC(3) Pause Full (System.gc()) 23M->7M(61M) 12.1ms
        [2100ns][safepoint] Safepoint "SerialGCCollect", Time since last: 5 ns, Reaching safepoint: 10 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 100 ns, Threads: 0 runnable, 10 total
        [3100ns][safepoint] Safepoint "ZMarkEndYoung", Time since last: 5 ns, Reaching safepoint: 10 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 100 ns, Threads: 1 runnable, 10 total
        [4100ns][safepoint] Safepoint "ThreadDump", Time since last: 5 ns, Reaching safepoint: 7 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 97 ns, Threads: 1 runnable, 10 total
        [5000ns][safepoint] Safepoint "G1CollectForAlloc\
        """);

    List<Event> events = PauseLog.read(log, "app1", IDENTITY);

    assertThat(events)
        .extracting(Event::kind)
        .containsExactly(EventKinds.GC_PAUSE, EventKinds.GC_PAUSE, EventKinds.SAFEPOINT);
    assertThat(events.getFirst().startNanos()).isEqualTo(2010);
    assertThat(events.getFirst().endNanos()).isEqualTo(2090);
    assertThat(events.getFirst().attributes())
        .containsEntry("cause", "Full (System.gc())")
        .containsEntry("heap", "23M->7M");
    assertThat(events.getLast().attributes()).doesNotContainKey("cause");
  }
}
