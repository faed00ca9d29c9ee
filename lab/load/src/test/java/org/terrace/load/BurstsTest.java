package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;

class BurstsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final LoadPlan.Phases PHASES =
      new LoadPlan.Phases(Duration.ofSeconds(2), Duration.ofSeconds(10), SECOND);

  private static LoadPace.Burst burst(double at, double length, double factor) {
    return new LoadPace.Burst(
        Duration.ofNanos((long) (at * 1e9)), Duration.ofNanos((long) (length * 1e9)), factor, true);
  }

  @Test
  void usersTimePassesAsTheClocksOutsideOfTheRunAndFasterInBursts() {
    PaceClock pace = new PaceClock(new LoadPace(0.5, List.of(burst(1, 2, 6))), PHASES);

    assertThat(pace.users(2e9)).isEqualTo(2e9);
    assertThat(pace.users(3e9)).isCloseTo(2.5e9, within(1.0));
    assertThat(pace.users(4e9)).isCloseTo(5.5e9, within(1.0));
    assertThat(pace.users(5e9)).isCloseTo(8.5e9, within(1.0));
    assertThat(pace.users(12e9)).isCloseTo(12e9, within(1.0));
    assertThat(pace.users(20e9)).isCloseTo(20e9, within(1.0));
    assertThat(mean(pace, Duration.ofSeconds(2), Duration.ofSeconds(10)))
        .isCloseTo(1.0, within(1e-9));
    for (double moment = 0; moment < 15e9; moment += 0.37e9) {
      assertThat(pace.moment(pace.users(moment))).isCloseTo(moment, within(1.0));
    }
  }

  @Test
  void factorsOfBurstsThatOverlapMultiplyAndTheRunCutsThemOff() {
    PaceClock pace =
        new PaceClock(
            new LoadPace(1, List.of(burst(0, 4, 2), burst(2, 4, 3), burst(9, 50, 5))), PHASES);

    assertThat(mean(pace, Duration.ofSeconds(2), SECOND)).isCloseTo(2, within(1e-9));
    assertThat(mean(pace, Duration.ofSeconds(4), SECOND)).isCloseTo(6, within(1e-9));
    assertThat(mean(pace, Duration.ofSeconds(7), SECOND)).isCloseTo(3, within(1e-9));
    assertThat(mean(pace, Duration.ofSeconds(11), SECOND)).isCloseTo(5, within(1e-9));
    assertThat(mean(pace, Duration.ofSeconds(12), SECOND)).isCloseTo(1, within(1e-9));
  }

  @Test
  void aFactorGivesAnIndexAndTheIndexTheFactor() {
    Bursts bursts = new Bursts(Duration.ofSeconds(5), Duration.ofMillis(500), 8);

    double index = bursts.index(300);

    assertThat(Bursts.ofIndex(bursts.every(), bursts.length(), index, 300).factor())
        .isCloseTo(8, within(1e-9));
    assertThatThrownBy(() -> Bursts.ofIndex(bursts.every(), bursts.length(), 1e9, 300))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("index 1.0E9 is out of range");
    assertThatThrownBy(() -> Bursts.ofIndex(bursts.every(), bursts.length(), 1, 300))
        .isInstanceOf(TerraceException.class);
  }

  /** Counts of a long open load vary as the index says, and their mean is that of the rate. */
  @Test
  void drawnBurstsGiveTheMeanAndTheIndexThatTheyPromise() {
    double rate = 200;
    int windows = 2_000;
    Duration window = Duration.ofSeconds(20);
    Duration run = window.multipliedBy(windows);
    Bursts bursts = new Bursts(SECOND, Duration.ofMillis(100), 6);
    RandomGenerator random = Seeds.generator(Seeds.next("BurstsTest"));
    LoadPace pace = bursts.draw(run, random.nextLong());
    PaceClock clock = new PaceClock(pace, new LoadPlan.Phases(Duration.ZERO, run, Duration.ZERO));
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < windows; i++) {
      double expected = rate * 20 * mean(clock, window.multipliedBy(i), window);
      sum += expected;
      squares += expected * expected;
    }
    double mean = sum / windows;
    // Requests given the pace are Poisson, which adds the mean to the variance.
    double variance = squares / windows - mean * mean + mean;

    assertThat(mean / (rate * 20)).isCloseTo(1, within(0.02));
    assertThat(variance / mean / bursts.index(rate)).isBetween(0.75, 1.3);
    assertThat(pace.bursts()).hasSizeGreaterThan(35_000);
  }

  /** The mean pace of a stretch. */
  private static double mean(PaceClock clock, Duration from, Duration length) {
    double start = from.toNanos();
    return (clock.users(start + length.toNanos()) - clock.users(start)) / length.toNanos();
  }
}
