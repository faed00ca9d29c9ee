package org.terrace.details.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class RankedValuesTest {
  private static final int PERMUTATIONS = 100_000;

  @Test
  void theStrongestSplitIsWhereTheLevelsPart() {
    double[] values = {3, 1, 2, 5, 4, 6, 16, 15, 11, 12, 14, 13};

    RankedValues.Split split = RankedValues.of(values).strongest();

    assertThat(split.at()).isEqualTo(6);
    // The rank sum of 6 of 12 is 39 without a change, with a variance of 39; here it is 21.
    assertThat(split.strength()).isCloseTo(18 / Math.sqrt(39), within(1e-9));
  }

  @Test
  void theProbabilityIsThatOfAllOrders() {
    double[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    RankedValues ranked = RankedValues.of(values);
    SplittableRandom random = new SplittableRandom(Seeds.next("permutations"));

    double probability = ranked.probability(ranked.strongest().strength(), PERMUTATIONS, 1, random);

    // Ten values part in the middle alone: 2 of the 252 ways to choose five are as far apart.
    assertThat(probability).isCloseTo(2 / 252.0, within(0.0025));
  }

  @Test
  void aProbabilityAboveTheLevelEndsEarly() {
    double[] values = {1, 9, 2, 8, 3, 7, 4, 6, 5, 10, 1, 9};
    RankedValues ranked = RankedValues.of(values);

    double probability =
        ranked.probability(
            ranked.strongest().strength(), PERMUTATIONS, 1e-4, new SplittableRandom(1));

    assertThat(probability).isGreaterThan(1e-4);
  }

  @Test
  void neighboursThatAreAlikeAreCorrelatedAndALevelIsNotTakenForIt() {
    double[] waves = new double[80];
    double[] alternating = new double[80];
    for (int i = 0; i < waves.length; i++) {
      waves[i] = Math.sin(i / 5.0);
      alternating[i] = (i < 40 ? 0 : 100) + (i % 2 == 0 ? i % 7 : -i % 5);
    }

    assertThat(RankedValues.of(waves).memory(40)).isGreaterThan(0.7);
    assertThat(RankedValues.of(alternating).memory(40)).isZero();
  }
}
