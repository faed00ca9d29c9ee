package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.load.Failure;
import org.terrace.load.LoadCheck;
import org.terrace.load.LoadResult;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.observation.Event;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/** Pages of a minute, one each 10 ms, some of whose connections are refused. */
class FaultConnectionsTest {
  private static final long MILLI = 1_000_000;
  private static final LoadCheck FAILED = new LoadCheck(LoadResult.CONNECTIONS, false, "refused");
  private static final Schedule AT_TEN = Schedule.once(Duration.ofSeconds(10));
  private static final Fault KILL =
      new Fault.Kill("app1", AT_TEN, Optional.of(Duration.ofSeconds(2)));
  private static final List<Event> KILLED =
      List.of(event("app1", "fault-kill", 10, 10), event("app1", "restart", 12, 12));

  private static Event event(String node, String kind, long fromSeconds, long toSeconds) {
    return new Event(node, kind, fromSeconds * 1000 * MILLI, toSeconds * 1000 * MILLI, Map.of());
  }

  private static LoadCheck check(
      List<Fault> faults, List<Event> events, long fromSeconds, long toSeconds) {
    RequestTable.Builder pages = new RequestTable.Builder();
    List<Boolean> refused = new ArrayList<>();
    IntStream.range(0, 6000)
        .forEach(page -> {
          long start = page * (10 * MILLI);
          boolean lacks = page >= fromSeconds * 100 && page < toSeconds * 100;
          refused.add(lacks);
          pages.accept(
              new Request(
                  Server.CLIENTS,
                  "look",
                  "user-1",
                  start,
                  start,
                  start + MILLI,
                  lacks ? 0 : 100,
                  lacks ? 0 : 1000,
                  lacks ? Outcome.ABORTED : Outcome.OK,
                  1));
        });
    long count = refused.stream().filter(each -> each).count();
    Map<Failure, Long> failures = Map.of(Failure.NONE, 6000 - count, Failure.REFUSED, count);
    return FaultChecks.connections(
        FAILED, failures, pages.build(), faults, List.of("app1"), events);
  }

  @Test
  void whatAPlannedKillOfTheEntranceRefusesIsTheFaults() {
    LoadCheck check = check(List.of(KILL), KILLED, 10, 17);

    assertThat(check.passed()).as(check.detail()).isTrue();
    assertThat(check.detail())
        .isEqualTo(
            "refused; 700 of them while app1 could not be reached as planned, or within 1 s after"
                + " (10 s after a start), and 0 of the other 5300 pages");
  }

  @Test
  void aServerThatIsNotStartedAgainRefusesUntilTheEnd() {
    Fault kill = new Fault.Kill("app1", AT_TEN, Optional.empty());

    assertThat(check(List.of(kill), KILLED.subList(0, 1), 10, 60).passed()).isTrue();
  }

  @Test
  void refusalsOutsideOfTheFaultFail() {
    assertThat(check(List.of(KILL), KILLED, 5, 7).passed()).isFalse();
    assertThat(check(List.of(KILL), KILLED, 10, 30).passed()).isFalse();
  }

  @Test
  void aFaultThatWasNotPlannedOrIsNotOfAnEntranceExcusesNothing() {
    Fault other = new Fault.Kill("database1", AT_TEN, Optional.empty());

    assertThat(check(List.of(), KILLED, 10, 12)).isEqualTo(FAILED);
    assertThat(check(List.of(other), List.of(event("database1", "fault-kill", 10, 10)), 10, 12))
        .isEqualTo(FAILED);
  }

  @Test
  void pausesAndCutsLastUntilTheyEnd() {
    Duration length = Duration.ofSeconds(3);
    Fault pause = new Fault.Pause("app1", AT_TEN, length);
    Fault cut = new Fault.Network("app1", AT_TEN, length, new NetworkEffect.Cut());

    for (Fault fault : List.of(pause, cut, new Fault.SynDrop("app1", AT_TEN, length))) {
      List<Event> events = List.of(event("app1", "fault-" + fault.word(), 10, 13));
      assertThat(check(List.of(fault), events, 10, 14).passed()).isTrue();
      assertThat(check(List.of(fault), events, 10, 16).passed()).isFalse();
    }
  }

  @Test
  void aLossIsNoReasonForRefusals() {
    Fault loss =
        new Fault.Network("app1", AT_TEN, Duration.ofSeconds(3), new NetworkEffect.Loss(0.05));

    assertThat(check(List.of(loss), List.of(event("app1", "fault-loss", 10, 13)), 10, 13))
        .isEqualTo(FAILED);
  }
}
