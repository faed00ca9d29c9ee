package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;

class MachineHadRoomTest {
  private static final long SECOND = 1_000_000_000L;

  private static ValidityCheck check(int seconds, double steal, IntToDoubleFunction used) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 120; i++) {
      samples.add(
          new Sample(
              Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, used.applyAsDouble(i)));
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_STEAL, i * SECOND, steal));
      samples.add(new Sample("app1", Resources.CPU_UTILISATION, i * SECOND, 1));
    }
    Event run =
        new Event("experiment", EventKinds.PHASE_RUN, 5 * SECOND, (5 + seconds) * SECOND, Map.of());
    return MachineHadRoom.check(samples, run);
  }

  @Test
  void serversAtLimitsOfTheirOwnAreNoLackOfRoom() {
    ValidityCheck check = check(60, 0, second -> 0.8);

    assertThat(check.passed()).isTrue();
    assertThat(check.detail()).contains("full in 0 % of the run");
  }

  @Test
  void aMachineThatIsFullOftenDidNotMeasureTheServers() {
    assertThat(check(60, 0, second -> second % 20 == 0 ? 1 : 0.5).passed()).isTrue();
    ValidityCheck check = check(60, 0, second -> second % 15 == 0 ? 1 : 0.5);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("full in 7 %", "give them lower limits");
  }

  @Test
  void whatAHypervisorTakesIsALackOfRoom() {
    assertThat(check(60, 0.01, second -> 0.5).passed()).isTrue();
    assertThat(check(60, 0.03, second -> 0.5).passed()).isFalse();
  }

  @Test
  void onlyTheRunIsJudgedAndNoShortOne() {
    assertThat(check(60, 0, second -> second <= 5 || second > 65 ? 1 : 0.5).passed()).isTrue();
    assertThat(check(9, 0, second -> 1).detail()).contains("not judged");
  }
}
