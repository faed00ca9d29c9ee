package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    return new Event(node, kind, 1, 2, Map.of());
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
}
