package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialsTest {
  private final List<Integer> run = new ArrayList<>();

  private boolean holdsFrom(int number, int trial) {
    run.add(trial);
    return trial >= number;
  }

  @Test
  void fewTrialsDecideWhereTheyHold() {
    assertThat(Trials.share(4, 20, share -> share >= 0.75, i -> holdsFrom(1, i))).isEqualTo(0.75);
    assertThat(run).containsExactly(0, 1, 2, 3);
  }

  @Test
  void allTrialsDecideWhereThereIsADoubt() {
    assertThat(Trials.share(4, 20, share -> share > 0.75, i -> holdsFrom(1, i))).isEqualTo(0.95);
    assertThat(run).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void oneTrialThatHoldsIsEnough() {
    Trials.failAtMost(0.1, 20, i -> assertThat(holdsFrom(0, i)).isTrue());

    assertThat(run).containsExactly(0);
  }

  @Test
  void furtherTrialsDecideWhereTheFirstFailsByChance() {
    // 9 of 20 have a probability of 6.0e-5 where one of ten fails, 10 one of 7.2e-6.
    Trials.failAtMost(0.1, 20, i -> assertThat(holdsFrom(10, i)).isTrue());

    assertThat(run).hasSize(21).doesNotHaveDuplicates();
    assertThatThrownBy(
            () -> Trials.failAtMost(0.1, 20, i -> assertThat(i).as("trial").isGreaterThan(10)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("10 of 20")
        .hasMessageContaining("7.2e-06");
  }

  @Test
  void aReplayedSeedDecidesByItself() {
    ListedSeeds.begin(List.of(7L));
    try {
      Seeds.next("TrialsTest.replayed");

      assertThatThrownBy(
              () -> Trials.failAtMost(0.1, 20, i -> assertThat(holdsFrom(1, i)).isTrue()))
          .isInstanceOf(AssertionError.class);
      assertThat(run).containsExactly(0);
    } finally {
      ListedSeeds.begin(List.of());
    }
  }

  @Test
  void trialsThatCouldNeverTellAreRefused() {
    assertThatThrownBy(() -> Trials.failAtMost(0.1, 5, i -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 trials");
  }

  @Test
  void tailsOfTheBinomialDistribution() {
    assertThat(Trials.atLeast(0, 20, 0.1)).isCloseTo(1, within(1e-12));
    assertThat(Trials.atLeast(1, 20, 0.1)).isCloseTo(1 - Math.pow(0.9, 20), within(1e-12));
    assertThat(Trials.atLeast(20, 20, 0.1)).isCloseTo(1e-20, within(1e-26));
  }
}
