package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Server;

class FaultChecksTest {
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

  @Test
  void faultsThatAllHappenedPass() {
    ValidityCheck check =
        FaultChecks.happened(
            FAULTS,
            List.of(),
            List.of(
                event("database1", EventKinds.FAULT_ROW_LOCK),
                event("database1", EventKinds.FAULT_ROW_LOCK),
                event(Server.CLIENTS, EventKinds.FAULT_BURST)),
            RUN_START,
            RUN);

    assertThat(check.passed()).as(check.detail()).isTrue();
    assertThat(check.detail()).isEqualTo("3 planned, all happened");
  }

  @Test
  void aFaultWithoutItsEventIsMissed() {
    ValidityCheck check =
        FaultChecks.happened(
            FAULTS,
            List.of(),
            List.of(
                event("database2", EventKinds.FAULT_ROW_LOCK),
                event("database1", EventKinds.FAULT_ROW_LOCK),
                event(Server.CLIENTS, EventKinds.FAULT_BURST)),
            RUN_START,
            RUN);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).isEqualTo("row-lock of database1 happened 1 of 2 times");
  }

  @Test
  void aFaultThatWasCutShortFails() {
    ValidityCheck check =
        FaultChecks.happened(
            FAULTS,
            List.of(),
            List.of(
                event(Server.CLIENTS, EventKinds.FAULT_BURST),
                event("database1", EventKinds.FAULT_ROW_LOCK, 6_000, Duration.ofMillis(110)),
                event("database1", EventKinds.FAULT_ROW_LOCK, 1_000, Duration.ofMillis(960))),
            RUN_START,
            RUN);

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).isEqualTo("row-lock of database1 at 6000 ms lasted 110 of 1000 ms");
  }

  @Test
  void aKillLastsAsLongAsItTakesAndACheckpointToo() {
    Schedule once = Schedule.once(SECOND);
    ValidityCheck check =
        FaultChecks.happened(
            List.of(
                new Fault.Kill("app1", once, Optional.of(SECOND.multipliedBy(5))),
                new Fault.Checkpoint("database1", once, 1 << 20)),
            List.of(),
            List.of(
                event("app1", EventKinds.FAULT_KILL, 1_000, Duration.ofMillis(1)),
                event("database1", EventKinds.FAULT_CHECKPOINT, 1_000, Duration.ofMillis(1))),
            RUN_START,
            RUN);

    assertThat(check.passed()).as(check.detail()).isTrue();
  }

  private static final long RUN_START = 1_700_000_000_000_000_000L;
  private static final Duration RUN = Duration.ofSeconds(30);

  private static Event at(String node, String kind, double seconds, Duration lasting) {
    return event(node, kind, RUN_START + (long) (seconds * 1e9), lasting);
  }

  private static ValidityCheck check(List<Fault> faults, Event... events) {
    return FaultChecks.happened(faults, List.of(), List.of(events), RUN_START, RUN);
  }

  @Test
  void aFaultThatBeganMuchLaterThanPlannedFails() {
    Duration lasting = Duration.ofSeconds(2);
    List<Fault> pause = List.of(new Fault.Pause("app1", Schedule.once(SECOND), lasting));

    ValidityCheck late = check(pause, at("app1", EventKinds.FAULT_PAUSE, 4.25, lasting));
    ValidityCheck little = check(pause, at("app1", EventKinds.FAULT_PAUSE, 3.9, lasting));

    assertThat(late.passed()).isFalse();
    assertThat(late.detail()).isEqualTo("pause of app1 at 1000 ms began 3250 ms late");
    assertThat(little.passed()).as(little.detail()).isTrue();
  }

  @Test
  void aFaultThatWaitedForTheOneBeforeIsNotLate() {
    Duration lasting = Duration.ofSeconds(8);
    Schedule twice = new Schedule(SECOND, SECOND, 2);
    Event first = at("app1", EventKinds.FAULT_PAUSE, 1, lasting);
    List<Fault> pauses = List.of(new Fault.Pause("app1", twice, lasting));

    ValidityCheck waited = check(pauses, first, at("app1", EventKinds.FAULT_PAUSE, 9.1, lasting));
    ValidityCheck late = check(pauses, first, at("app1", EventKinds.FAULT_PAUSE, 13, lasting));

    assertThat(waited.passed()).as(waited.detail()).isTrue();
    assertThat(late.detail()).isEqualTo("pause of app1 at 2000 ms began 4000 ms late");
  }

  @Test
  void whoIsToldWhileItIsStoppedBeginsAfterwardsAndOneThatIsKilledDoesNotWait() {
    Schedule soon = Schedule.once(SECOND.multipliedBy(2));
    Event stop = at("app1", EventKinds.FAULT_PAUSE, 1, SECOND.multipliedBy(9));
    Fault pause = new Fault.Pause("app1", Schedule.once(SECOND), SECOND.multipliedBy(9));

    ValidityCheck told =
        check(
            List.of(pause, new Fault.LockConvoy("app1", soon, SECOND)),
            stop,
            at("app1", EventKinds.FAULT_LOCK_CONVOY, 10.2, SECOND));
    ValidityCheck killed =
        check(
            List.of(pause, new Fault.Kill("app1", soon, Optional.empty())),
            stop,
            at("app1", EventKinds.FAULT_KILL, 10.2, SECOND));

    assertThat(told.passed()).as(told.detail()).isTrue();
    assertThat(killed.detail()).isEqualTo("kill of app1 at 2000 ms began 8200 ms late");
  }

  @Test
  void aCheckpointBeginsWithThePagesThatItWrites() {
    List<Fault> checkpoint =
        List.of(new Fault.Checkpoint("database1", Schedule.once(SECOND), 1 << 20));
    Event written = at("database1", EventKinds.FAULT_CHECKPOINT, 12, SECOND);

    ValidityCheck slow =
        check(
            checkpoint,
            at("database1", EventKinds.FAULT_DIRTY_PAGES, 1.1, SECOND.multipliedBy(10)),
            written);
    ValidityCheck late =
        check(checkpoint, at("database1", EventKinds.FAULT_DIRTY_PAGES, 9, SECOND), written);

    assertThat(slow.passed()).as(slow.detail()).isTrue();
    assertThat(late.passed()).isFalse();
  }

  private static ValidityCheck burst(long began, double expected, double factor) {
    Event event =
        new Event(
            Server.CLIENTS,
            EventKinds.FAULT_BURST,
            RUN_START + SECOND.toNanos(),
            RUN_START + 2 * SECOND.toNanos(),
            Map.of(
                "factor", "" + factor,
                "beganRequests", "" + began,
                "expectedRequests", "" + expected));
    return check(List.of(new Fault.Burst(Schedule.once(SECOND), SECOND, factor)), event);
  }

  @Test
  void aBurstInWhichUsersAskedAsUsualFailsByWhatBegan() {
    assertThat(burst(100, 500, 5).detail())
        .isEqualTo(
            "burst of clients at 1000 ms began 100 requests (95 % interval 81 to 122) of 500 that a factor of 5.0 has after the time that users thought");
    assertThat(burst(1_000, 500, 0.5).passed()).isFalse();
    assertThat(burst(0, 0, 5).detail())
        .isEqualTo(
            "burst of clients at 1000 ms found no user who thought, and so could be in a hurry");
  }

  @Test
  void aBurstThatIsOneByMoreThanHalfOrOfWhichChanceDecidesCounts() {
    assertThat(burst(0, 13, 5).passed()).isTrue();
    assertThat(burst(0, 14, 5).passed()).isFalse();
    assertThat(burst(5, 0.5, 0.5).passed()).as("chance of one in six thousand").isTrue();
    assertThat(burst(400, 500, 5).passed()).isTrue();
    assertThat(burst(4, 20, 5).passed()).isTrue();
    assertThat(burst(560, 500, 0.5).passed()).isTrue();
  }

  private static ValidityCheck cut(Map<String, String> details) {
    long start = RUN_START + SECOND.toNanos();
    Fault cut = new Fault.Network("app1", Schedule.once(SECOND), SECOND, new NetworkEffect.Cut());
    return check(
        List.of(cut),
        new Event("app1", EventKinds.FAULT_CUT, start, start + SECOND.toNanos(), details));
  }

  @Test
  void aCutThatConnectionsPassByFailsWithWhatToDo() {
    ValidityCheck check =
        cut(
            Map.of(
                "droppedPackets", "7",
                "unreachedConnections", "2, such as 127.0.0.1:40312 to 127.0.3.1:5432"));

    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .isEqualTo(
            "cut of app1 at 1000 ms did not reach all connections of its server (2, such as 127.0.0.1:40312 to 127.0.3.1:5432), which are at another address than its own: connect from TERRACE_ADDRESS, or run with --target namespaces");
  }

  @Test
  void aCutInWhichNobodySentAnythingSaysSo() {
    ValidityCheck idle = cut(Map.of("droppedPackets", "0", "reachedConnections", "3"));
    ValidityCheck busy = cut(Map.of("droppedPackets", "1", "reachedConnections", "3"));

    assertThat(idle.passed()).isTrue();
    assertThat(idle.detail())
        .isEqualTo(
            "1 planned, all happened; cut of app1 after 1000 ms dropped no packet, with 3 of its connections open");
    assertThat(busy.detail()).isEqualTo("1 planned, all happened");
  }
}
