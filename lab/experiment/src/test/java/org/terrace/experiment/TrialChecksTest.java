package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.experiment.Trial.CaptureFile;
import org.terrace.hosts.ServerWatch.LimitsInForce;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Server;

class TrialChecksTest {
  private static final Duration SAMPLE = Duration.ofMillis(100);
  private static final long RUN_START = 1_700_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static ValidityCheck limits(Set<String> refused, LimitsInForce... inForce) {
    return TrialChecks.limits(
        Set.of("app1", "app2"), refused, List.of(inForce), List.of(), RUN_START, SAMPLE);
  }

  private static LimitsInForce inForce(long afterMillis, String... servers) {
    return new LimitsInForce(RUN_START + afterMillis * MILLI, Set.of(servers));
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
  void limitsThatHeldFromTheStartPass() {
    ValidityCheck check =
        limits(Set.of(), inForce(9_000), inForce(30, "app1"), inForce(-4, "app2"));

    assertThat(check.passed()).as(check.detail()).isTrue();
    assertThat(check.detail())
        .isEqualTo(
            "app1 limited 0.03 s after the start of the run; app2 limited 0.00 s after the start of the run");
  }

  @Test
  void limitsThatAHostPutInForceLateFail() {
    ValidityCheck check = limits(Set.of(), inForce(30, "app1"), inForce(1_200, "app2"));

    assertThat(check.passed()).isFalse();
    assertThat(check.detail())
        .isEqualTo(
            "app2 limited 1.20 s after the start of the run, and had whole cores until then");
  }

  @Test
  void aLimitThatNoHostHasInForceFails() {
    ValidityCheck check = limits(Set.of(), inForce(30, "app1"));

    assertThat(check.passed()).isFalse();
    assertThat(check.detail()).isEqualTo("app2 not limited, though that was asked for");
  }

  @Test
  void aLimitThatDidNotHoldToTheEndFails() {
    ValidityCheck check =
        TrialChecks.limits(
            Set.of("app1"),
            Set.of(),
            List.of(inForce(30, "app1")),
            List.of("the governor of app1 ended"),
            RUN_START,
            SAMPLE);

    assertThat(check)
        .isEqualTo(new ValidityCheck("limits-in-force", false, "the governor of app1 ended"));
  }

  /** A result is had where nobody may limit processors, with a warning. */
  @Test
  void whereNoLimitsArePermittedThatIsSaid() {
    ValidityCheck check = limits(Set.of("app1", "app2"), inForce(30));

    assertThat(check.passed()).as(check.detail()).isTrue();
    assertThat(check.detail())
        .isEqualTo("no limits permitted for app1, app2, whose figures are of whole cores");
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

  private static ValidityCheck captured(int requests, CaptureFile... captures) {
    return TrialChecks.capture(List.of(captures), requests);
  }

  private static CaptureFile capture(String point, long packets, long dropped) {
    return new CaptureFile(point, Path.of(point + ".pcapng"), packets, 100 * packets, dropped);
  }

  @Test
  void aCaptureThatLostPacketsIsNotComplete() {
    assertThat(captured(9, capture("local", 90, 0)))
        .isEqualTo(new ValidityCheck("capture-complete", true, "90 packets written, 0 dropped"));
    assertThat(captured(9, capture("local", 90, 1), capture("left", 9, 0)).passed()).isFalse();
  }

  /** As behind a filter that fits no address, or at a device that nothing passes. */
  @Test
  void aCaptureThatSawNothingOfWhatWasSentIsNoEvidence() {
    ValidityCheck nothing = captured(9, capture("local", 0, 0));
    assertThat(nothing.passed()).isFalse();
    assertThat(nothing.detail())
        .isEqualTo(
            "0 packets written, 0 dropped; the capture at local saw no packet of a trial of 9 requests, so that nothing can be told from it");

    ValidityCheck elsewhere = captured(9, capture("local", 90, 0), capture("left", 0, 0));
    assertThat(elsewhere.passed()).isFalse();
    assertThat(elsewhere.detail()).contains("the capture at left saw no packet");

    assertThat(captured(0, capture("local", 0, 0)).passed())
        .as("nothing was sent, which the checks of the load tell")
        .isTrue();
  }
}
