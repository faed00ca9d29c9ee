package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.CauseDelay;
import org.terrace.analysis.finding.DelayCauses;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Depth;
import org.terrace.testing.HeldBy;
import org.terrace.testing.HeldPlan;
import org.terrace.testing.HeldTiers;
import org.terrace.testing.Holdup;
import org.terrace.testing.Told;

/** Shares of delay against the truth: the same requests without the cause. */
class DelayRankingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double ERROR = 0.1;

  /** Two causes, a server and a seed; the short build takes the first five. */
  static Stream<Arguments> runs() {
    return Stream.of(
            arguments(HeldBy.SAFEPOINT, HeldBy.LOCK, "web1", 1L),
            arguments(HeldBy.SAFEPOINT, HeldBy.LOCK, "app1", 1L),
            arguments(HeldBy.DISK, HeldBy.CHECKPOINT, "db1", 7L),
            arguments(HeldBy.ROW_LOCK, HeldBy.NETWORK, "db1", 9L),
            arguments(HeldBy.COLLECTOR, HeldBy.STEAL, "app1", 13L),
            arguments(HeldBy.NETWORK, HeldBy.BURST, "app1", 10L),
            arguments(HeldBy.RELEASE, HeldBy.COLLECTOR, "web1", 12L),
            arguments(HeldBy.RELEASE, HeldBy.COLLECTOR, "app1", 12L),
            arguments(HeldBy.THROTTLING, HeldBy.LOCK, "app1", 21L),
            arguments(HeldBy.RUN_DELAY, HeldBy.DISK, "db1", 22L),
            arguments(HeldBy.FREQUENCY, HeldBy.ROW_LOCK, "db1", 23L))
        .limit(Depth.of(11, 5));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void theShareOfACauseIsThatOfTheRunWithoutIt(HeldBy one, HeldBy other, String server, long seed) {
    HeldPlan plan = HeldPlan.drawn(seed, 60, 300, List.of(one, other, HeldBy.STOP));
    DelayCauses found = Objects.requireNonNull(delays(plan).get(server));
    double held = HeldTiers.run(plan).requestSeconds(server);
    double all = held - HeldTiers.run(plan.undisturbed()).requestSeconds(server);

    assertThat(found.overUsualSeconds() / all).isCloseTo(1, within(0.15));
    for (HeldBy cause : List.of(one, other)) {
      double truth = (held - HeldTiers.run(plan.without(cause)).requestSeconds(server)) / all;
      assertThat(share(found, cause)).as("%s at %s", cause, server).isCloseTo(truth, within(ERROR));
    }
    double untold = (held - HeldTiers.run(plan.without(HeldBy.STOP)).requestSeconds(server)) / all;
    assertThat(found.unexplainedShare()).isCloseTo(untold, within(0.15));
    assertThat(found.unexplainedShare())
        .isBetween(known(found.unexplainedLow()), known(found.unexplainedHigh()));
    assertThat(found.causes())
        .isSortedAccordingTo((a, b) -> Double.compare(known(b.share()), known(a.share())))
        .allMatch(each -> known(each.low()) <= known(each.share()))
        .allMatch(each -> known(each.share()) <= known(each.high()));
  }

  @Test
  void aKillIsListedWithoutAShare() {
    HeldPlan plan = HeldPlan.drawn(1, 60, 300, List.of(HeldBy.COLLECTOR, HeldBy.STOP));
    HeldPlan killed =
        new HeldPlan(
            plan.seed(),
            plan.seconds(),
            plan.perSecond(),
            plan.holdups(),
            plan.told().stream()
                .map(each ->
                    each.kind().equals("gc-pause")
                        ? new Told(each.node(), "fault-kill", each.startNanos(), each.endNanos())
                        : each)
                .toList());
    DelayCauses found = Objects.requireNonNull(delays(killed).get("app1"));

    assertThat(found.causes())
        .containsExactly(new CauseDelay("fault-kill", "app1", null, null, null));
    assertThat(found.unexplainedShare()).isEqualTo(1);
  }

  private static double known(@Nullable Double figure) {
    return Objects.requireNonNull(figure);
  }

  @Test
  void withoutEventsAllIsUnexplained() {
    HeldPlan plan = HeldPlan.drawn(1, 40, 300, List.of(HeldBy.STOP));
    DelayCauses found = Objects.requireNonNull(delays(plan).get("app1"));

    assertThat(found.unexplainedShare()).isGreaterThan(0.9);
  }

  /** Delay grows with the square of a stop. */
  @Test
  void anEpisodeThatHasNearlyAllOfTheDelayIsSaidToLeaveNoInterval() {
    List<Holdup> stops = new ArrayList<>(List.of(stop(5, 2_500)));
    for (int second = 15; second < 36; second += 3) {
      stops.add(stop(second, 60));
    }
    ServerFindings found = servers(new HeldPlan(1, 40, 300, stops, List.of())).get("app1");
    DelayCauses delays = Objects.requireNonNull(found.delays());

    assertThat(delays.episodes()).isGreaterThan(3);
    assertThat(delays.unexplainedLow()).isNull();
    assertThat(delays.largestEpisodeShare()).isBetween(0.7, 1.0);
    assertThat(DelayRanking.sentence(found))
        .containsPattern(
            "in \\d+ episodes \\(no intervals: one episode has \\d\\d % of it\\): unex");
  }

  @Test
  void fewEpisodesAreSaidToLeaveNoInterval() {
    HeldPlan plan = new HeldPlan(1, 40, 300, List.of(stop(10, 300), stop(20, 300)), List.of());
    ServerFindings found = servers(plan).get("app1");

    assertThat(DelayRanking.sentence(found))
        .contains("in 2 episodes (no intervals: too few): unexplained 100 %");
  }

  private static Holdup stop(int second, int millis) {
    long start = HeldTiers.START + second * SECOND;
    return new Holdup(HeldBy.STOP, start, start + millis * SECOND / 1_000);
  }

  private static double share(DelayCauses found, HeldBy cause) {
    return found.causes().stream()
        .filter(each -> cause.told().contains(each.kind()) && cause.node().equals(each.node()))
        .mapToDouble(each -> known(each.share()))
        .max()
        .orElse(0);
  }

  private static Map<String, DelayCauses> delays(HeldPlan plan) {
    Map<String, DelayCauses> all = new HashMap<>();
    servers(plan).forEach((name, server) -> all.put(name, server.delays()));
    return all;
  }

  private static Map<String, ServerFindings> servers(HeldPlan plan) {
    Observation observation = observation(plan, HeldTiers.run(plan));
    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());
    Map<String, ServerFindings> all = new HashMap<>();
    FindingDetails.added(
            result.findings(),
            observation,
            result.stretch().startNanos(),
            result.stretch().endNanos())
        .servers()
        .forEach(server -> {
          System.out.println(server.delays() == null ? "" : DelayRanking.sentence(server));
          all.put(server.name(), server);
        });
    return all;
  }

  private static Observation observation(HeldPlan plan, HeldTiers.Run run) {
    RequestTable.Builder rows = new RequestTable.Builder();
    run.visits()
        .forEach(visit ->
            rows.accept(
                new Request(
                    visit.server(),
                    visit.kind(),
                    visit.client(),
                    visit.startNanos(),
                    visit.startNanos(),
                    visit.endNanos(),
                    100,
                    1_000,
                    Outcome.OK,
                    1)));
    List<Event> events = new ArrayList<>();
    Stream.concat(plan.told().stream(), run.told().stream())
        .forEach(told ->
            events.add(
                new Event(told.node(), told.kind(), told.startNanos(), told.endNanos(), Map.of())));
    events.add(
        new Event(
            "experiment",
            EventKinds.PHASE_RUN,
            HeldTiers.START + SECOND,
            HeldTiers.START + (plan.seconds() - 1) * SECOND,
            Map.of()));
    return new Observation(
        List.of(
            new Server("web1", "web", List.of()),
            new Server("app1", "application", List.of()),
            new Server("db1", "database", List.of())),
        rows.build(),
        List.of(),
        events);
  }
}
