package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    Trials.most(5, i -> assertThat(holdsFrom(0, i)).isTrue());

    assertThat(run).containsExactly(0);
  }

  @Test
  void mostTrialsMustHoldWhereTheFirstDoesNot() {
    Trials.most(5, i -> assertThat(holdsFrom(2, i)).isTrue());

    assertThat(run).containsExactly(0, 1, 2, 3, 4);
    assertThatThrownBy(() -> Trials.most(5, i -> assertThat(i).as("trial").isGreaterThan(2)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("0");
  }
}
