package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.nodes.monitor.ReadingRoom;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Await;

/** A real process under a real quota that follows its load. */
@Timeout(120)
@Tag("real-processes")
class GovernorEmulationTest {
  private static final double CORES = 0.4;
  private static final Duration SOON = Duration.ofSeconds(30);

  private final TimeSource time = TimeSource.system();

  private static List<String> states(KeptEvents kept) {
    return kept.list().stream().map(event -> event.attributes().get("state")).toList();
  }

  /** From the slowest on, one step at a time: back as well, if the server had no processor. */
  private static void assertAreNeighbours(List<String> states) {
    List<String> order = PState.XEON.stream().map(PState::name).toList();
    assertThat(states).startsWith("P8");
    for (int i = 1; i < states.size(); i++) {
      assertThat(Math.abs(order.indexOf(states.get(i)) - order.indexOf(states.get(i - 1))))
          .as("%s", states)
          .isOne();
    }
  }

  @Test
  void aBusyServerIsSlowAtFirstAndHasItsFastestClockInTheEnd() throws IOException {
    try (CpuLimits limits = CpuLimits.open()) {
      Assumptions.assumeTrue(limits.warning().isEmpty(), limits.warning().orElse(""));
      try (ControlGroup group = limits.limit("database1", CORES).orElseThrow()) {
        Process process =
            new ProcessBuilder(group.command(List.of("sh", "-c", "while :; do :; done"))).start();
        KeptEvents kept = new KeptEvents(ReadingRoom.ofHeap());
        try (GovernorEmulation governor =
            new GovernorEmulation(
                "database1",
                group,
                CORES,
                () -> List.of(process.pid()),
                Duration.ofMillis(200),
                time,
                kept)) {
          long start = time.epochNanos();
          governor.start();
          assertThat(Await.until(SOON, () -> states(kept).contains("P1")))
              .as(() -> kept.list().toString())
              .isTrue();

          List<Event> slower = kept.list();
          assertAreNeighbours(states(kept));
          assertThat(slower).extracting(Event::kind).containsOnly(EventKinds.FREQUENCY_LOW);
          assertThat(slower.getFirst().startNanos()).isGreaterThanOrEqualTo(start);
          for (int i = 1; i < slower.size(); i++) {
            assertThat(slower.get(i).startNanos())
                .isGreaterThanOrEqualTo(slower.get(i - 1).endNanos());
          }
        } finally {
          process.destroyForcibly();
          process.onExit().join();
        }
      }
    }
  }
}
