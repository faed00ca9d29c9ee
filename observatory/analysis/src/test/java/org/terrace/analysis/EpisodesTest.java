package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.observation.Observation;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Bursts;
import org.terrace.testing.StationSimulator.Pause;
import org.terrace.testing.StationSimulator.RequestClass;
import org.terrace.testing.StationSimulator.Settings;
import org.terrace.testing.Trials;

class EpisodesTest {
  private static final int RUN_SECONDS = 40;

  @Test
  void findsASlowDownThatNeverStalls() {
    long from = START + 20 * SECONDS;
    long to = from + 1 * SECONDS;
    // 6 of every 10 ms are taken away: no window is silent, but all are slow.
    List<Pause> pauses = new ArrayList<>();
    for (long at = from; at < to; at += 10 * MILLIS) {
      pauses.add(new Pause(at, at + 6 * MILLIS));
    }
    Settings settings = steady(pauses);
    Event event = new Event("app1", "frequency-lowered", from, to, Map.of());

    ServerFindings server =
        analyse(settings, Seeds.next("EpisodesTest.findsASlowDown"), List.of(event));

    assertThat(overlap(server, from, to)).as("found of a second").isGreaterThan(800 * MILLIS);
    assertThat(overlap(server, START, START + RUN_SECONDS * SECONDS))
        .as("found in all")
        .isLessThan(1_400 * MILLIS);
    CongestionEpisode longest =
        server.episodes().stream()
            .max((a, b) -> Double.compare(a.lengthMillis(), b.lengthMillis()))
            .orElseThrow();
    assertThat(longest.kind()).isEqualTo(CongestionEpisode.Kind.SLOW);
    assertThat(longest.ofUsual()).isLessThan(0.7);
    assertThat(longest.causes()).extracting(Findings.Cause::kind).containsExactly(event.kind());
    assertThat(longest.causes().getFirst().significant()).isTrue();
  }

  @Test
  void findsNoEpisodeWhereNothingHappens() {
    long seed = Seeds.next("EpisodesTest.findsNone");
    // None of 500 runs had one, so that at most 0.8 % have (95 %).
    Trials.failAtMost(0.01, 60, trial -> findsNoEpisode(seed + trial));
  }

  private static void findsNoEpisode(long seed) {
    ServerFindings server = analyse(steady(List.of()), seed, List.of());

    assertThat(server.congestionPoint().identifiable()).isFalse();
    assertThat(server.episodes()).isEmpty();
  }

  @Test
  void episodesAreTheTimeInWhichLoadIsBeyondTheCongestionPoint() {
    Settings settings = Stations.bursty(8, 0.6, RUN_SECONDS);
    long seed = Seeds.next("EpisodesTest.beyond");
    Observation observation =
        Stations.observation(settings, new StationSimulator(settings).run(seed));

    AnalysisResult result =
        Analysis.analyze(observation, AnalysisOptions.defaults().withWindowMillis(20));

    ServerFindings server = result.findings().servers().getFirst();
    Double high = server.congestionPoint().high();
    assertThat(high).isNotNull();
    double[] load = result.series().getFirst().load();
    int beyond = 0;
    int covered = 0;
    for (int i = 0; i < load.length; i++) {
      if (load[i] > high) {
        long start = START + i * 20L * MILLIS;
        beyond++;
        covered += overlap(server, start, start + 20 * MILLIS) == 20 * MILLIS ? 1 : 0;
      }
    }
    assertThat(beyond).isGreaterThan(100);
    assertThat(covered).isEqualTo(beyond);
    assertThat(server.episodes())
        .allMatch(each -> each.kind() != CongestionEpisode.Kind.BEYOND || each.peakLoad() > high);
  }

  private static Settings steady(List<Pause> pauses) {
    return new Settings(
        8,
        List.of(new RequestClass("read", 1, 2 * MILLIS, 2)),
        0.3,
        Bursts.NONE,
        START,
        RUN_SECONDS * SECONDS,
        pauses);
  }

  private static ServerFindings analyse(Settings settings, long seed, List<Event> events) {
    Observation station = Stations.observation(settings, new StationSimulator(settings).run(seed));
    Observation observation =
        Stations.observation(
            station.servers(), station.requests(), events, START, START + RUN_SECONDS * SECONDS);
    return Analysis.analyze(observation, AnalysisOptions.defaults())
        .findings()
        .servers()
        .getFirst();
  }

  private static long overlap(ServerFindings server, long from, long to) {
    return server.episodes().stream()
        .mapToLong(each -> Math.min(to, each.endNanos()) - Math.max(from, each.startNanos()))
        .filter(shared -> shared > 0)
        .sum();
  }
}
