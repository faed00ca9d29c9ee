package org.terrace.details.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;
import org.terrace.testing.Trials;

class LevelShiftTest {
  @Test
  void theEstimateIsTheMedianOfAllDifferences() {
    LevelShift shift = LevelShift.of(new double[] {1, 2, 4}, new double[] {5, 9}, 0);

    // The differences are 1, 3, 4, 5, 7 and 8.
    assertThat(shift.estimate()).isCloseTo(4.5, within(1e-12));
    assertThat(shift.low()).as("three and two are too few for 99 %").isNull();
    assertThat(shift.high()).isNull();
  }

  @Test
  void theIntervalHoldsTheShiftNinetyNineTimesInAHundred() {
    long seed = Seeds.next("intervals of shifts");

    double held =
        Trials.share(
            500,
            5_000,
            share -> share >= 0.985,
            trial -> {
              RandomGenerator random = Seeds.generator(seed + trial);
              double[] before = random.doubles(40).toArray();
              double[] after = random.doubles(15).map(value -> value + 3).toArray();
              LevelShift shift = LevelShift.of(before, after, 0);
              return shift.low() != null
                  && shift.high() != null
                  && shift.low() <= 3
                  && shift.high() >= 3;
            });

    assertThat(held).isBetween(0.98, 1.0);
  }

  @Test
  void correlatedNeighboursWidenTheInterval() {
    RandomGenerator random = Seeds.generator(Seeds.next("wider intervals"));
    double[] before = random.doubles(60).toArray();
    double[] after = random.doubles(30).toArray();

    LevelShift independent = LevelShift.of(before, after, 0);
    LevelShift correlated = LevelShift.of(before, after, 0.4);

    assertThat(correlated.estimate()).isEqualTo(independent.estimate());
    assertThat(correlated.low()).isLessThan(independent.low());
    assertThat(correlated.high()).isGreaterThan(independent.high());
  }
}
