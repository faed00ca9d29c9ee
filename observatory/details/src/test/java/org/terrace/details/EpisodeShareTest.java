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

  /** Beyond this part in one episode all tell less than two equal ones would. */
  private static final double MOST_TOLD = 0.7;

  @ParameterizedTest
  @CsvSource({"3,0.5", "6,0.5", "12,0.5", "40,0.5", "10,0.35", "6,0.2", "12,0.2", "20,0.1"})
  void theIntervalHoldsTheTruth(int episodes, double truth) {
    RandomGenerator random = Seeds.generator(Seeds.next("EpisodeShareTest"));
    int held = 0;
    int told = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double[] parts = new double[episodes];
      double[] wholes = new double[episodes];
      for (int i = 0; i < episodes; i++) {
        // Delay grows with the square of a pause.
        wholes[i] = Math.pow(0.05 + 0.25 * random.nextDouble(), 2);
        parts[i] = random.nextDouble() < truth ? wholes[i] : 0;
      }
      EpisodeShare share = EpisodeShare.of(parts, wholes);
      told += isTold(share) ? 1 : 0;
      held += holds(share, truth) ? 1 : 0;
    }
    System.out.printf(
        "%d episodes, %.1f: %.3f of %.3f told%n",
        episodes, truth, held / (double) told, told / (double) ROUNDS);
    assertThat(held).isGreaterThan((int) (LEAST * told));
    // Of three whose weights differ some tell too little.
    assertThat(told).isGreaterThan(ROUNDS / 2);
  }

  private static boolean isTold(EpisodeShare share) {
    return share.low() != null && share.high() != null;
  }

  private static boolean holds(EpisodeShare share, double truth) {
    return isTold(share)
        && Objects.requireNonNull(share.low()) <= truth
        && truth <= Objects.requireNonNull(share.high());
  }

  /** One episode has a part of the whole: where an interval is given, it holds the truth. */
  @ParameterizedTest
  @CsvSource({
    "5,0.5,0.3",
    "6,0.5,0.5",
    "6,0.2,0.5",
    "12,0.5,0.6",
    "12,0.2,0.6",
    "12,0.1,0.6",
    "12,0.35,0.8",
    "40,0.5,0.5",
    "40,0.2,0.5",
    "40,0.1,0.3",
    "40,0.5,0.9",
    "20,0.35,0.4",
    "100,0.2,0.5",
    "200,0.5,0.4",
    "200,0.1,0.4"
  })
  void anEpisodeThatHasMostOfTheWeightDoesNotMakeItSure(
      int episodes, double truth, double dominant) {
    RandomGenerator random = Seeds.generator(Seeds.next("EpisodeShareTest.dominant"));
    int held = 0;
    int told = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double[] parts = new double[episodes];
      double[] wholes = new double[episodes];
      double others = 0;
      for (int i = 1; i < episodes; i++) {
        wholes[i] = Math.pow(0.05 + 0.25 * random.nextDouble(), 2);
        others += wholes[i];
      }
      wholes[0] = others * dominant / (1 - dominant);
      for (int i = 0; i < episodes; i++) {
        parts[i] = random.nextDouble() < truth ? wholes[i] : 0;
      }
      EpisodeShare share = EpisodeShare.of(parts, wholes);
      told += isTold(share) ? 1 : 0;
      held += holds(share, truth) ? 1 : 0;
    }
    System.out.printf(
        "%d episodes, one of %.1f, %.2f: %d of %d told%n", episodes, dominant, truth, held, told);
    assertThat(held).isGreaterThanOrEqualTo((int) (LEAST * told));
    assertThat(told)
        .as("nearly all of the weight tells nothing")
        .isEqualTo(dominant > MOST_TOLD ? 0 : ROUNDS);
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
