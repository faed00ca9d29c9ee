package org.terrace.nodes.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaggingGovernorTest {
  private final LaggingGovernor governor = new LaggingGovernor(PState.XEON);

  /** The states that follow when demand, as a part of the fastest clock, is served. */
  private List<String> states(PState from, double... demands) {
    List<String> names = new ArrayList<>();
    PState state = from;
    for (double demand : demands) {
      state = governor.next(state, Math.min(1, demand / state.share()));
      names.add(state.name());
    }
    return names;
  }

  @Test
  void aBurstIsFollowedOneStateAtADecision() {
    assertThat(states(governor.slowest(), 0.95, 0.95, 0.95, 0.95, 0.95))
        .containsExactly("P5", "P4", "P1", "P0", "P0");
  }

  @Test
  void whereALowerClockSufficesItComesDownAndThenStays() {
    assertThat(states(PState.XEON.getFirst(), 0.2, 0.2, 0.2, 0.2, 0.2))
        .containsExactly("P1", "P4", "P5", "P8", "P8");
  }

  @Test
  void aSteadyDemandComesToRest() {
    for (double demand = 0.05; demand < 1; demand += 0.05) {
      double[] steady = new double[20];
      Arrays.fill(steady, demand);
      List<String> states = states(governor.slowest(), steady);

      assertThat(states.subList(10, 20)).as("demand " + demand).containsOnly(states.getLast());
    }
  }

  @Test
  void theStatesAreThoseOfThePaper() {
    assertThat(PState.XEON).extracting(PState::name).containsExactly("P0", "P1", "P4", "P5", "P8");
    assertThat(PState.XEON.getLast().share()).isBetween(0.52, 0.54);
  }
}
