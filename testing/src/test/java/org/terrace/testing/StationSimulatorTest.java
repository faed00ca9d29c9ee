package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.testing.StationSimulator.Bursts;
import org.terrace.testing.StationSimulator.Pause;
import org.terrace.testing.StationSimulator.RequestClass;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;

class StationSimulatorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Settings SETTINGS =
      new Settings(
          1,
          List.of(new RequestClass("only", 1, 1_000_000, 1)),
          0.5,
          Bursts.NONE,
          7 * SECOND,
          100 * SECOND,
          List.of());

  /** The mean time in an M/M/1 queue is the mean service time over one minus the utilisation. */
  @Test
  void oneExponentialServerAgreesWithQueueingTheory() {
    Run run = new StationSimulator(SETTINGS).run(Seeds.next("StationSimulatorTest.oneServer"));

    double residence = 0;
    for (int i = 0; i < run.size(); i++) {
      residence += run.departureNanos()[i] - run.arrivalNanos()[i];
    }
    assertThat(run.size()).isBetween(48_500, 51_500);
    assertThat(residence / run.size()).isCloseTo(2_000_000, within(200_000.0));
  }

  @Test
  void nobodyLeavesDuringAPause() {
    Pause pause = new Pause(20 * SECOND, 21 * SECOND);
    Run run =
        new StationSimulator(SETTINGS.withPauses(List.of(pause)))
            .run(Seeds.next("StationSimulatorTest.pause"));

    assertThat(countWithin(pause, run.departureNanos())).isZero();
    assertThat(countWithin(pause, run.arrivalNanos())).isBetween(350L, 650L);
  }

  @Test
  void theSeedDecidesEverything() {
    Run first = new StationSimulator(SETTINGS).run(5);
    Run second = new StationSimulator(SETTINGS).run(5);

    assertThat(second).usingRecursiveComparison().isEqualTo(first);
  }

  private static long countWithin(Pause pause, long[] times) {
    return Arrays.stream(times)
        .filter(time -> time > pause.startNanos() && time < pause.endNanos())
        .count();
  }
}
