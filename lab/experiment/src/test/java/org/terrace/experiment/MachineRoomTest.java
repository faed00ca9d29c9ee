package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Sample;

class MachineRoomTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TrialMachine HERE =
      new TrialMachine("this machine", Resources.MACHINE, 2, Map.of("app1", 0.5));

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
    return MachineRoom.check(samples, List.of(HERE), List.of(run));
  }

  /** The other programs of a host keep its servers waiting as those of the users' machine do. */
  @Test
  void aBusyHostIsNamedThoughTheUsersMachineIsIdle() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.1));
      samples.add(new Sample("machine-left", Resources.CPU_UTILISATION, i * SECOND, 0.6));
      samples.add(new Sample("app2", Resources.CPU_UTILISATION, i * SECOND, 0.4));
    }
    Event run = new Event("experiment", EventKinds.PHASE_RUN, SECOND, 50 * SECOND, Map.of());
    TrialMachine idle = new TrialMachine("the host left", "machine-left", 2, Map.of("app2", 2.0));
    TrialMachine busy = new TrialMachine("the host left", "machine-left", 2, Map.of("app2", 0.5));

    assertThat(MachineRoom.check(samples, List.of(HERE, idle), List.of(run)).passed()).isTrue();
    ValidityCheck check = MachineRoom.check(samples, List.of(HERE, busy), List.of(run));
    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .contains(
            "used 10 % of the processors of this machine",
            "used 50 % of the processors of the host left");
    TrialMachine unread = new TrialMachine("the host right", "machine-right", 2, Map.of());
    assertThat(MachineRoom.check(samples, List.of(HERE, unread), List.of(run)).detail())
        .contains("the host right was not read");
  }

  /** A quota leaves less than the processors that the readings are shares of. */
  @Test
  void aMachineOfWhichOtherProcessorsWereReadCannotBeJudged() {
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 0, 60 * SECOND, Map.of());
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.2));
      samples.add(new Sample(Resources.MACHINE, Resources.PROCESSORS, i * SECOND, 2));
    }
    assertThat(MachineRoom.check(samples, List.of(HERE), List.of(run)).passed()).isTrue();

    samples.add(new Sample(Resources.MACHINE, Resources.PROCESSORS, 30 * SECOND, 8));
    ValidityCheck check = MachineRoom.check(samples, List.of(HERE), List.of(run));
    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("this machine has 8 processors", "as much as 2");
  }

  /** A JVM says that it may use two processors where a quota leaves it one and a half. */
  @Test
  void aMachineWhoseQuotaIsRoundedUpToItsProcessorsCannotBeJudged() {
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 0, 60 * SECOND, Map.of());
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.2));
      samples.add(new Sample(Resources.MACHINE, Resources.PROCESSORS, i * SECOND, 2));
    }

    ValidityCheck less = MachineRoom.check(samples, List.of(withQuota(1.5)), List.of(run));
    assertThat(less.passed()).isFalse();
    assertThat(less.detail())
        .contains("this machine has 2 processors", "as much as 1.50 of them", "taskset");
    ValidityCheck more = MachineRoom.check(samples, List.of(withQuota(2)), List.of(run));
    assertThat(more.passed()).as(more.detail()).isTrue();
  }

  private static TrialMachine withQuota(double cores) {
    return new TrialMachine(
        "this machine", Resources.MACHINE, 2, OptionalDouble.of(cores), Map.of(), Set.of());
  }

  /** Users on all processors and a container on some: what of them the users have is not known. */
  @Test
  void nobodyIsToldToEndOtherProgramsThatMayBeTheTrialsOwn() {
    TrialMachine left =
        new TrialMachine(
            "this machine",
            Resources.MACHINE,
            2,
            OptionalDouble.empty(),
            Map.of("app1", 0.5),
            Set.of("clients"));
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.8));
      samples.add(new Sample("app1", Resources.CPU_UTILISATION, i * SECOND, 0.4));
    }
    Event run = new Event("experiment", EventKinds.PHASE_RUN, SECOND, 50 * SECOND, Map.of());

    ValidityCheck check = MachineRoom.check(samples, List.of(left), List.of(run));

    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .contains("other programs, or clients,", "taskset")
        .doesNotContain("end the other programs");
  }

  @Test
  void moreThanAllProgramsUsedIsNoRoom() {
    ValidityCheck little = check(0.15, 0.8, 40);
    assertThat(little.passed()).as("moments differ").isTrue();
    assertThat(little.detail()).contains("used -5 % of the processors");

    ValidityCheck check = check(0.05, 0.8, 40);
    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("used 15 % more of the processors of this machine");
  }

  @Test
  void whatTheTrialUsesItselfIsNoLackOfRoom() {
    ValidityCheck check = check(0.265, 0.9, 40);

    assertThat(check.passed()).isTrue();
    assertThat(check.detail()).contains("used 4 % of the processors of this machine");
  }

  @Test
  void aBusyMachineIsSaidWithWhatToDo() {
    ValidityCheck check = check(1, 0.4, 40);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .contains("used 90 % of the processors of this machine", "end the other programs");
  }

  @Test
  void aShortRunIsNotJudged() {
    assertThat(check(1, 0.4, 3).passed()).isTrue();
    assertThat(MachineRoom.check(List.of(), List.of(HERE), List.of()).passed()).isTrue();
  }

  /** A monitor is late just when its machine is full. */
  @Test
  void aLateReadingCountsForTheTimeThatItIsOf() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.05));
      samples.add(new Sample("app1", Resources.CPU_UTILISATION, i * SECOND + 1, 0.04));
    }
    samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, 60 * SECOND, 1));
    samples.add(new Sample("app1", Resources.CPU_UTILISATION, 60 * SECOND + 1, 0.04));
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 0, 60 * SECOND, Map.of());

    ValidityCheck check = MachineRoom.check(samples, List.of(HERE), List.of(run));
    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("used 67 % of the processors of this machine");
  }

  @Test
  void aMachineThatWasReadInLessThanHalfOfTheRunCannotBeJudged() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      samples.add(new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, i * SECOND, 0.05));
    }
    Event run = new Event("experiment", EventKinds.PHASE_RUN, 0, 60 * SECOND, Map.of());

    ValidityCheck check = MachineRoom.check(samples, List.of(HERE), List.of(run));
    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).contains("this machine was read in 33 % of the run alone");
  }
}
