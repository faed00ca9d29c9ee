package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.testing.Seeds;

class EpisodeShareTest {
  private static final int ROUNDS = 20_000;

  /** Of 95 %, less what 20,000 rounds can miss it by and a small error of the approximation. */
  private static final double LEAST = 0.94;

  @ParameterizedTest
  @CsvSource({"3,0.5", "6,0.5", "12,0.5", "40,0.5", "10,0.35", "6,0.2", "12,0.2", "20,0.1"})
  void theIntervalHoldsTheTruth(int episodes, double truth) {
    RandomGenerator random = Seeds.generator(Seeds.next("EpisodeShareTest"));
    int held = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double[] parts = new double[episodes];
      double[] wholes = new double[episodes];
      for (int i = 0; i < episodes; i++) {
        // Delay grows with the square of a pause.
        wholes[i] = Math.pow(0.05 + 0.25 * random.nextDouble(), 2);
        parts[i] = random.nextDouble() < truth ? wholes[i] : 0;
      }
      EpisodeShare share = EpisodeShare.of(parts, wholes);
      held +=
          Objects.requireNonNull(share.low()) <= truth
                  && truth <= Objects.requireNonNull(share.high())
              ? 1
              : 0;
    }
    System.out.printf("%d episodes, %.1f: %.3f%n", episodes, truth, held / (double) ROUNDS);
    assertThat(held / (double) ROUNDS).isGreaterThan(LEAST);
  }

  @Test
  void aFewEpisodesHaveNoInterval() {
    assertThat(EpisodeShare.of(new double[] {1, 0}, new double[] {1, 1}))
        .isEqualTo(new EpisodeShare(0.5, null, null));
    assertThat(EpisodeShare.of(new double[0], new double[0]).high()).isNull();
  }

  @Test
  void whatWasNeverSeenIsNotSure() {
    assertThat(EpisodeShare.of(new double[5], new double[] {1, 1, 1, 1, 1}).high())
        .isGreaterThan(0.2);
  }
}
