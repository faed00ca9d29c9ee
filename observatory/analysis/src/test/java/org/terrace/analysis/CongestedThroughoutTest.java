package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.LimitedTiers.PLENTY;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
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

/** Servers that are never seen below their known limit: what can be said of it is a bound. */
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

  @Test
  void ofAServerThatItsQuotaHoldsBackAllTheTimeABoundIsTold() {
    RandomGenerator random = Seeds.generator(Seeds.next("CongestedThroughoutTest.quota"));
    for (int run = 0; run < RUNS; run++) {
      double quota = random.nextDouble(0.2, 0.7);
      double capacity = quota / WORK_SECONDS;
      double asked = random.nextDouble(1.3, 3);
      AnalysisResult result = analyzed(underQuota(quota), asked * capacity, List.of(), random);
      ServerFindings app = app(result.findings());
      CongestionPoint point = app.congestionPoint();
      System.out.printf(
          "quota of %.2f, asked for %.1f of it: N* %.2f, at most %.1f, most %.1f; %s%n",
          quota,
          asked,
          capacity * (WORK_SECONDS + CALLS_SECONDS),
          point.high(),
          point.maximumLoadSeen(),
          app.sentence());

      assertThat(point.identifiable()).isFalse();
      assertThat(point.load()).isNull();
      double bound = Objects.requireNonNull(point.high(), "no bound");
      assertThat(bound)
          .isBetween(
              capacity * (WORK_SECONDS + CALLS_SECONDS),
              // Users who do not think are at the server or behind it.
              1.1 * (asked - 1) * capacity + 10);
      assertThat(point.reason()).contains("its quota held it back", "at most");
      assertThat(Objects.requireNonNull(point.congestedShare())).isGreaterThan(0.8);
      assertThat(app.episodes().stream().map(CongestionEpisode::kind))
          .contains(CongestionEpisode.Kind.BEYOND)
          .doesNotContain(CongestionEpisode.Kind.SLOW);
      assertThat(app.sentence()).contains("It congests beyond at most");
      assertThat(result.verdict().sentence()).contains("app1 congests first, beyond at most");
    }
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
