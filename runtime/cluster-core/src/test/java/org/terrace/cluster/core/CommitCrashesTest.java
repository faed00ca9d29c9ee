package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** Crashes between any two steps of a commit, and the same with a fault planted. */
class CommitCrashesTest {
  private static final int HISTORIES = Depth.of(5, 1);

  @ParameterizedTest
  @EnumSource(WriteStrategy.class)
  void nothingIsLostDoubledOrDivergedWhereverItCrashes(WriteStrategy strategy) {
    for (long seed : Seeds.histories("CommitCrashesTest-" + strategy, HISTORIES)) {
      List<String> violations = new ArrayList<>();

      // A transaction of one change is 13 steps, with 8 losses before each.
      assertThat(CommitCrashes.crash(seed, strategy, Plant.NOTHING, violations)).isGreaterThan(100);
      assertThat(violations).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Plant.class,
      names = {"DROPPED_WRITE", "SWAPPED_ORDER", "LOST_LOG_TAIL", "NO_RECORD"})
  void aPlantedFaultIsFound(Plant plant) {
    List<Long> seeds = new ArrayList<>();
    Seeds.histories("CommitCrashesTest-" + plant, CommitCrashes.MOST_PLANTED).forEach(seeds::add);

    CommitCrashes.Planted planted =
        CommitCrashes.plant(plant, seeds.stream().mapToLong(Long::longValue));

    assertThat(planted.violations()).as("%d crashes", planted.crashes()).isNotEmpty();
  }
}
