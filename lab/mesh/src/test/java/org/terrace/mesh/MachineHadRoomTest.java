package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.terrace.experiment.TrialMachine;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;

class MachineHadRoomTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TrialMachine HERE =
      new TrialMachine("this machine", Resources.MACHINE, 2, Map.of("clients", 2.0, "app1", 0.5));

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
    return MachineHadRoom.check(samples, List.of(HERE), run);
  }

  /** The same of a trial whose app1 is on a host of its own. */
  private static ValidityCheck checkOfHosts(double left, double steal, double limit, int seconds) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= seconds; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.2));
      samples.add(new Sample("machine-left", Resources.CPU_UTILISATION, i * SECOND, left));
      samples.add(new Sample("machine-left", Resources.CPU_STEAL, i * SECOND, steal));
    }
    samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, 60 * SECOND, 0.2));
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 5 * SECOND, 65 * SECOND, Map.of());
    TrialMachine host = new TrialMachine("the host left", "machine-left", 2, Map.of("app1", limit));
    return MachineHadRoom.check(samples, List.of(HERE, host), run);
  }

  /** A quota leaves less than the processors that the readings are shares of. */
  @Test
  void aMachineOfWhichOtherProcessorsWereReadCannotBeJudged() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.2));
      samples.add(new Sample(Resources.MACHINE, Resources.PROCESSORS, i * SECOND, 8));
    }
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 0, 60 * SECOND, Map.of());

    ValidityCheck check = MachineHadRoom.check(samples, List.of(HERE), run);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("this machine has 8 processors", "as much as 2");
    TrialMachine all = new TrialMachine("this machine", Resources.MACHINE, 8, Map.of());
    assertThat(MachineHadRoom.check(samples, List.of(all), run).passed()).isTrue();
  }

  @Test
  void aHostWithoutRoomIsNamedThoughTheUsersMachineHadSome() {
    ValidityCheck check = checkOfHosts(1, 0, 2, 60);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .contains(
            "the processors of this machine were full in 0 %",
            "the processors of the host left were full in 100 %",
            "app1 may use 2.00 processors there, where there are 2",
            "lower limits");
    assertThat(checkOfHosts(0.5, 0, 2, 60).passed()).isTrue();
  }

  @Test
  void whereTheLimitsLeaveRoomOthersFilledTheHost() {
    assertThat(checkOfHosts(1, 0, 0.5, 60).detail())
        .contains("app1 may use 0.50 of its 2 processors there, so that other programs");
  }

  @Test
  void stealOfAHostIsALackOfRoom() {
    ValidityCheck check = checkOfHosts(0.5, 0.1, 2, 60);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("the host left", "10.0 % of them were taken", "elsewhere");
  }

  @Test
  void aHostThatWasNotReadInTheRunIsNotTakenForOneWithRoom() {
    ValidityCheck check = checkOfHosts(0.1, 0, 2, 3);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("the host left was not read in the run");
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
    assertThat(check.detail())
        .contains(
            "full in 7 %", "app1, clients may use 2.50 processors", "give servers lower limits");
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

  /** Nobody reads while all processors, or the hypervisor, keep the reader waiting. */
  @Test
  void aReadingThatCameLateCountsForAsLongAsItHadToBeWaitedFor() {
    assertThat(checkOfReadings(new int[] {1, 60}, 0, 0).passed()).isTrue();
    ValidityCheck full = checkOfReadings(new int[] {1, 25, 31, 60}, 1, 0);
    assertThat(full.passed()).isFalse();
    assertThat(full.detail()).contains("full in 10 % of the run");
    assertThat(checkOfReadings(new int[] {1, 25, 31, 60}, 0, 0.5).passed()).isFalse();
  }

  @Test
  void aRunThatWasHardlyReadTellsNothing() {
    ValidityCheck check = checkOfReadings(new int[] {1, 20}, 0, 0);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("was read in 33 % of the run alone");
  }

  /** Readings each second in stretches; the first of the second stretch is another. */
  private static ValidityCheck checkOfReadings(int[] stretches, double late, double lateSteal) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < stretches.length; i += 2) {
      for (int second = stretches[i]; second <= stretches[i + 1]; second++) {
        boolean isLate = i > 0 && second == stretches[i];
        samples.add(
            new Sample(
                Resources.MACHINE,
                Resources.CPU_UTILISATION,
                second * SECOND,
                isLate ? late : 0.2));
        samples.add(
            new Sample(
                Resources.MACHINE, Resources.CPU_STEAL, second * SECOND, isLate ? lateSteal : 0));
      }
    }
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 0, 60 * SECOND, Map.of());
    return MachineHadRoom.check(samples, List.of(HERE), run);
  }
}
