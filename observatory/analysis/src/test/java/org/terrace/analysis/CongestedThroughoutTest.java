package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.LimitedTiers.PLENTY;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.analysis.LimitedTiers.Tier;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** Servers that are never seen below their known limit, and what can be said of it. */
class CongestedThroughoutTest {
  private static final int RUN_SECONDS = 45;
  private static final int RUNS = Depth.of(12, 4);
  private static final double WORK_SECONDS = 0.002;
  private static final double CALLS_SECONDS = 2 * (0.004 + 0.0001);
  private static final Tier WEB = new Tier("web1", PLENTY, PLENTY, 0, MILLIS, 1, PLENTY);
  private static final Tier DATABASE = new Tier("db1", PLENTY, PLENTY, 0, 4 * MILLIS, 0, PLENTY);

  private static Tier underQuota(double quota) {
    return new Tier("app1", PLENTY, 1, quota, 2 * MILLIS, 2, PLENTY);
  }

  private static AnalysisResult analyzed(
      Tier app, double users, List<Event> stops, RandomGenerator random) {
    Observation observation =
        LimitedTiers.closed(List.of(WEB, app, DATABASE), (int) users, stops, RUN_SECONDS, random);
    return Analysis.analyze(observation, AnalysisOptions.defaults());
  }

  private static ServerFindings app(Findings findings) {
    return findings.servers().stream()
        .filter(server -> server.name().equals("app1"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 10})
  void ofAServerThatItsQuotaHoldsBackAllTheTimeNothingIsClaimed(long periodMillis) {
    RandomGenerator random = Seeds.generator(Seeds.next("CongestedThroughoutTest.quota"));
    for (int run = 0; run < RUNS; run++) {
      double quota = random.nextDouble(0.2, 0.7);
      double asked = random.nextDouble(1.3, 3) * quota / WORK_SECONDS;
      Tier app = underQuota(quota).withPeriod(periodMillis * MILLIS);
      AnalysisResult result = analyzed(app, asked, List.of(), random);

      assertThat(app(result.findings()).congestionPoint().reason())
          .contains("its quota held it back most of the time");
      assertNothingIsClaimed(result);
    }
  }

  /** All requests are answered in time; what uses the quota up is other work. */
  @Test
  void aQuotaThatOtherWorkUsesUpIsNoLimitOfRequests() {
    RandomGenerator random = Seeds.generator(Seeds.next("CongestedThroughoutTest.work"));
    double quota = 0.5;
    Observation alone =
        LimitedTiers.closed(
            List.of(WEB, underQuota(quota), DATABASE),
            (int) (0.3 * quota / WORK_SECONDS),
            List.of(),
            RUN_SECONDS,
            random);
    List<Event> events = new ArrayList<>(alone.events());
    for (long period = 0; period < 10 * RUN_SECONDS; period++) {
      if (period % 10 < 8) {
        long end = START + (period + 1) * 100 * MILLIS;
        events.add(
            new Event(
                "app1",
                EventKinds.CPU_THROTTLED,
                end - 5 * MILLIS,
                end,
                Map.of(EventKinds.PERIOD_MICROS, "100000")));
      }
    }
    Observation observation =
        Stations.observation(
            alone.servers(), alone.requests(), events, START, START + RUN_SECONDS * SECONDS);

    assertNothingIsClaimed(Analysis.analyze(observation, AnalysisOptions.defaults()));
  }

  private static void assertNothingIsClaimed(AnalysisResult result) {
    ServerFindings app = app(result.findings());
    assertThat(app.congestionPoint().identifiable()).isFalse();
    assertThat(app.congestionPoint().high()).isNull();
    assertThat(app.congestionPoint().congestedShare()).isNull();
    assertThat(app.episodes().stream().map(CongestionEpisode::kind))
        .doesNotContain(CongestionEpisode.Kind.BEYOND);
    assertThat(app.episodes().stream().mapToDouble(CongestionEpisode::lengthMillis).sum())
        .as("slower than usual for the smaller part of the time")
        .isLessThan(RUN_SECONDS * 1e3 / 2);
    assertThat(result.verdict().sentence()).doesNotContain("app1 congests");
  }

  /** A server that waits now and then is not said to be only waiting where its load is high. */
  @Test
  void aWaitNowAndThenIsNotTheReasonForWhichAQuotaShowsNoLimit() {
    RandomGenerator random = Seeds.generator(Seeds.next("CongestedThroughoutTest.waits"));
    long from = START + 20 * SECONDS;
    Event stop = new Event("db1", EventKinds.FAULT_PAUSE, from, from + 2 * SECONDS, Map.of());
    double quota = 0.4;
    AnalysisResult result =
        analyzed(underQuota(quota), 2 * quota / WORK_SECONDS, List.of(stop), random);

    assertThat(app(result.findings()).congestionPoint().reason()).doesNotContain("waits for");
  }

  @Test
  void ofAServerWithoutAQuotaTheBoundIsToldIfItWasCongestedAllTheTime() {
    RandomGenerator random = Seeds.generator(Seeds.next("CongestedThroughoutTest.threads"));
    for (int run = 0; run < RUNS; run++) {
      int threads = random.nextInt(4, 20);
      double capacity = threads / (0.012 + CALLS_SECONDS);
      double asked = random.nextDouble(1.5, 3);
      Tier app = new Tier("app1", threads, PLENTY, 0, 12 * MILLIS, 2, PLENTY);
      CongestionPoint point =
          app(analyzed(app, asked * capacity, List.of(), random).findings()).congestionPoint();
      System.out.printf("%d threads, asked for %.1f of them: %s%n", threads, asked, point.reason());

      assertThat(point.identifiable()).isFalse();
      Matcher bound =
          Pattern.compile("N\\* is then at most ([0-9.]+),")
              .matcher(String.valueOf(point.reason()));
      assertThat(bound.find()).as(point.reason()).isTrue();
      assertThat(Double.parseDouble(bound.group(1)))
          .isBetween((double) threads, point.maximumLoadSeen());
    }
  }
}
