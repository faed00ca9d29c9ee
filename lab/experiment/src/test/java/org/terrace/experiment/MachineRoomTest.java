package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;

class MachineRoomTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int CORES = 2;

  /** A minute in which the machine is used so far, and app1 so far of its half core. */
  private static ValidityCheck check(double machine, double app, int seconds) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, machine));
      samples.add(new Sample("app1", Resources.CPU_UTILISATION, i * SECOND, app));
      samples.add(new Sample("app1", Resources.MEMORY_BYTES, i * SECOND, 1e9));
    }
    Event run =
        new Event("experiment", EventKinds.PHASE_RUN, 5 * SECOND, (5 + seconds) * SECOND, Map.of());
    return MachineRoom.check(samples, Map.of("app1", 0.5), CORES, List.of(run));
  }

  @Test
  void whatTheTrialUsesItselfIsNoLackOfRoom() {
    ValidityCheck check = check(0.265, 0.9, 40);

    assertThat(check.passed()).isTrue();
    assertThat(check.detail()).contains("used 4 % of this machine's processors");
  }

  @Test
  void aBusyMachineIsSaidWithWhatToDo() {
    ValidityCheck check = check(1, 0.4, 40);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .contains("used 90 % of this machine's processors", "end the other programs");
  }

  @Test
  void aShortRunIsNotJudged() {
    assertThat(check(1, 0.4, 3).passed()).isTrue();
    assertThat(MachineRoom.check(List.of(), Map.of(), CORES, List.of()).passed()).isTrue();
  }
}
