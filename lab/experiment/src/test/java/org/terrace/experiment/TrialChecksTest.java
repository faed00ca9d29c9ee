package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Server;

class TrialChecksTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final List<Fault> FAULTS =
      List.of(
          new Fault.RowLock("database1", new Schedule(SECOND, SECOND.multipliedBy(5), 2), SECOND),
          new Fault.Burst(Schedule.once(SECOND), SECOND, 3));

  private static Event event(String node, String kind) {
    return event(node, kind, 1_000, SECOND);
  }

  private static Event event(String node, String kind, long startNanos, Duration lasting) {
    return new Event(node, kind, startNanos, startNanos + lasting.toNanos(), Map.of());
  }

  private static boolean sessionsKept(List<Event> faults, double... foundSeconds) {
    List<Event> events = new ArrayList<>(faults);
    events.add(event(Server.CLIENTS, EventKinds.PHASE_RUN, 0, SECOND.multipliedBy(100)));
    List<Long> found = Arrays.stream(foundSeconds).mapToObj(each -> (long) (each * 1e9)).toList();
    return TrialChecks.sessions(new SessionCounts(500, 500, 0, 0, 7, found), events).passed();
  }

  private static Event fault(int endSeconds) {
    Duration end = SECOND.multipliedBy(endSeconds);
    return event("app1", EventKinds.FAULT_PAUSE, end.toNanos() - SECOND.toNanos(), SECOND);
  }

  /** Looks that fail find nothing lost, and those of others say nothing of one's own session. */
  @Test
  void sessionsThatCannotBeReachedAtTheEndOfTheRunAreNotKept() {
    assertThat(sessionsKept(List.of(), 99.5, 101)).isTrue();
    assertThat(sessionsKept(List.of(), 99.5, 0)).isFalse();
    assertThat(sessionsKept(List.of(fault(20)), 99.5, 40))
        .as("reached after the fault, and then no more")
        .isFalse();
    assertThat(sessionsKept(List.of(fault(20)), 99.5, 96)).isTrue();
    assertThat(sessionsKept(List.of(fault(98)), 99.5, 97))
        .as("reached before the fault alone")
        .isFalse();
    assertThat(sessionsKept(List.of(fault(98)), 99.5, 98.1)).isTrue();
    assertThat(sessionsKept(List.of(fault(110)), 99.5, 99.1)).isTrue();
    assertThat(sessionsKept(List.of(fault(110)), 99.5, 98.9)).isFalse();
  }

  @Test
  void aLostDraftOrSessionIsNotKeptThoughAllAreFoundInTheEnd() {
    List<Event> run =
        List.of(event(Server.CLIENTS, EventKinds.PHASE_RUN, 0, SECOND.multipliedBy(100)));
    List<Long> found = List.of(99_500_000_000L);

    assertThat(TrialChecks.sessions(new SessionCounts(9, 9, 0, 1, 0, found), run).passed())
        .isFalse();
    assertThat(TrialChecks.sessions(new SessionCounts(9, 9, 1, 0, 0, found), run).passed())
        .isFalse();
  }

  @Test
  void faultsThatAllHappenedPass() {
    ValidityCheck check =
        TrialChecks.faults(
            FAULTS,
            List.of(),
            List.of(
                event("database1", EventKinds.FAULT_ROW_LOCK),
                event("database1", EventKinds.FAULT_ROW_LOCK),
                event(Server.CLIENTS, EventKinds.FAULT_BURST)));

    assertThat(check.passed()).as(check.detail()).isTrue();
    assertThat(check.detail()).isEqualTo("3 planned, all happened");
  }

  @Test
  void aFaultWithoutItsEventIsMissed() {
    ValidityCheck check =
        TrialChecks.faults(
            FAULTS,
            List.of(),
            List.of(
                event("database2", EventKinds.FAULT_ROW_LOCK),
                event("database1", EventKinds.FAULT_ROW_LOCK),
                event(Server.CLIENTS, EventKinds.FAULT_BURST)));

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).isEqualTo("row-lock of database1 happened 1 of 2 times");
  }

  @Test
  void aFaultThatWasCutShortFails() {
    ValidityCheck check =
        TrialChecks.faults(
            FAULTS,
            List.of(),
            List.of(
                event(Server.CLIENTS, EventKinds.FAULT_BURST),
                event("database1", EventKinds.FAULT_ROW_LOCK, 6_000, Duration.ofMillis(110)),
                event("database1", EventKinds.FAULT_ROW_LOCK, 1_000, Duration.ofMillis(960))));

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).isEqualTo("row-lock of database1 at 6000 ms lasted 110 of 1000 ms");
  }

  @Test
  void aKillLastsAsLongAsItTakesAndACheckpointToo() {
    Schedule once = Schedule.once(SECOND);
    ValidityCheck check =
        TrialChecks.faults(
            List.of(
                new Fault.Kill("app1", once, Optional.of(SECOND.multipliedBy(5))),
                new Fault.Checkpoint("database1", once, 1 << 20)),
            List.of(),
            List.of(
                event("app1", EventKinds.FAULT_KILL, 1_000, Duration.ofMillis(1)),
                event("database1", EventKinds.FAULT_CHECKPOINT, 1_000, Duration.ofMillis(1))));

    assertThat(check.passed()).as(check.detail()).isTrue();
  }

  @Test
  void aTrialWhoseMonitorsLeftSomethingOutDoesNotPass() {
    ValidityCheck whole = TrialChecks.readings(List.of(), 12_345);
    ValidityCheck less = TrialChecks.readings(List.of("app1: 3 samples", "app2: 4 stretches"), 9);

    assertThat(whole)
        .isEqualTo(new ValidityCheck("readings-complete", true, "12345 samples, none left out"));
    assertThat(less.passed()).isFalse();
    assertThat(less.detail()).startsWith("app1: 3 samples; app2: 4 stretches; verdicts would be");
  }
}
