package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.terrace.analysis.Stations.MILLIS;
import static org.terrace.analysis.Stations.SECONDS;
import static org.terrace.analysis.Stations.START;
import static org.terrace.analysis.Stations.request;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.analysis.finding.Verdict;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.Seeds;
import org.terrace.testing.StationSimulator;
import org.terrace.testing.StationSimulator.Pause;
import org.terrace.testing.StationSimulator.Run;
import org.terrace.testing.StationSimulator.Settings;
import org.terrace.testing.Trials;

class AnalysisTest {

  @Test
  void explainsATrialFromItsRequestsAndEvents() {
    long seed = Seeds.next("AnalysisTest.explainsATrial");
    // In 42 of 800 runs chance added a slow time, or left no window length to choose: in at most
    // 7.1 % (95 %).
    Trials.failAtMost(0.071, 100, trial -> explainsATrial(seed + trial));
  }

  private static void explainsATrial(long seed) {
    Pause pause = new Pause(START + 12 * SECONDS, START + 12 * SECONDS + 240 * MILLIS);
    Settings settings = Stations.bursty(8, 0.6, 40).withPauses(List.of(pause));
    Run run = new StationSimulator(settings).run(seed);
    Observation station = Stations.observation(settings, run);
    Event collection =
        new Event(
            "app1",
            EventKinds.GC_PAUSE,
            pause.startNanos(),
            pause.endNanos(),
            Map.of("cause", "x"));
    Observation observation =
        Stations.observation(
            station.servers(),
            station.requests(),
            List.of(collection),
            START,
            START + 40 * SECONDS);

    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());

    ServerFindings server = result.findings().servers().getFirst();
    assertThat(server.stalls()).hasSize(1);
    assertThat(server.stalls().getFirst().causes()).hasSize(1);
    assertThat(server.stalls().getFirst().causes().getFirst().kind()).isEqualTo("gc-pause");
    assertThat(server.stalls().getFirst().causes().getFirst().share()).isGreaterThan(0.95);
    assertThat(server.congestionPoint().identifiable()).isTrue();
    assertThat(server.congestionPoint().load()).isCloseTo(8, within(1.2));
    assertThat(server.congestionPoint().scales()).hasSize(WindowLengths.MILLIS.size());
    assertThat(server.requests()).isEqualTo(run.size());
    assertThat(result.findings().window().chosen()).isEqualTo("automatic");
    assertThat(result.findings().window().millis()).isBetween(10, 100);
    assertThat(result.verdict().congestsFirst()).isEqualTo("app1");
    assertThat(result.verdict().sentence())
        .matches(
            "app1 stalled once, for 2[34]\\d ms at \\+1[12]\\.\\d s, overlapped by GC pauses of app1\\. "
                + "app1 congests first, beyond \\d+\\.\\d concurrent requests \\(.*\\), "
                + "\\d+ times for \\d+\\.\\d s in all\\.");
    assertThat(server.sentence())
        .isEqualTo(
            result
                .verdict()
                .sentence()
                .replace("app1 congests first, beyond", "It congests beyond"));
    assertThat(result.clients()).isNull();
    assertThat(result.findings().stallEpisodes()).hasSize(1);
    StallEpisode episode = result.findings().stallEpisodes().getFirst();
    assertThat(episode.server()).isEqualTo("app1");
    assertThat(episode.stalls()).containsExactly(0);
    assertThat(episode.startNanos()).isEqualTo(server.stalls().getFirst().startNanos());
    assertThat(episode.likely()).containsExactly(new Verdict.CauseSummary("gc-pause", "app1", 1));
  }

  @Test
  void theSameObservationAndOptionsGiveTheSameResult() {
    Settings settings = Stations.bursty(4, 0.7, 15);
    Observation observation =
        Stations.observation(
            settings, new StationSimulator(settings).run(Seeds.next("AnalysisTest.theSame")));

    AnalysisResult first = Analysis.analyze(observation, AnalysisOptions.defaults());
    AnalysisResult second = Analysis.analyze(observation, AnalysisOptions.defaults());

    assertThat(second).usingRecursiveComparison().isEqualTo(first);
  }

  @Test
  void seriesAddUpToTheTableOfClasses() {
    Settings settings = Stations.bursty(4, 0.5, 20);
    Observation observation =
        Stations.observation(
            settings, new StationSimulator(settings).run(Seeds.next("AnalysisTest.seriesAddUp")));

    AnalysisResult result =
        Analysis.analyze(observation, AnalysisOptions.defaults().withWindowMillis(50));

    ServerDetail detail = result.servers().getFirst();
    double completions = Arrays.stream(result.series().getFirst().throughput()).sum() * 0.05;
    assertThat(completions).isCloseTo((double) detail.completed(), within(0.5));
    assertThat(detail.classes().stream().mapToLong(ClassSummary::completed).sum())
        .isEqualTo(detail.completed());
    assertThat(detail.classes().stream().mapToDouble(ClassSummary::timeShare).sum())
        .isCloseTo(1, within(1e-9));
    double work = Arrays.stream(result.series().getFirst().workUnits()).sum() * 0.05;
    assertThat(work).as("a unit is an average request").isCloseTo(completions, within(1.0));
    // A write takes ten times as long as a read.
    double write = units(detail, "write");
    double read = units(detail, "read");
    assertThat(write / read).isBetween(7.0, 13.0);
    assertThat(result.findings().window()).isEqualTo(new Findings.Window(50, "given"));
  }

  /** One user asks ten times a second; two hang, one of them since before the stretch. */
  @Test
  void usersWhoHangAreErrorsAndThoseWhoAreNotAreTheThroughput() {
    RequestTable.Builder table = new RequestTable.Builder();
    for (double sent : new double[] {-1, 2}) {
      table.accept(asked(sent, 12, Outcome.UNFINISHED));
    }
    for (int i = 0; i < 120; i++) {
      table.accept(asked(-1 + i * 0.1, -1 + i * 0.1 + 0.05, Outcome.OK));
    }
    Observation observation =
        Stations.observation(
            List.of(new Server(Server.CLIENTS, Server.CLIENTS, List.of())),
            table.build(),
            List.of(),
            START,
            START + 10 * SECONDS);

    Findings.Clients clients =
        Analysis.analyze(observation, AnalysisOptions.defaults()).findings().clients();

    assertThat(clients).isNotNull();
    assertThat(clients.requests()).isEqualTo(102);
    assertThat(clients.errors()).isEqualTo(2);
    assertThat(clients.answersPerSecond()).isCloseTo(10, within(0.2));
  }

  private static Request asked(double second, double end, Outcome outcome) {
    long sent = START + Math.round(second * SECONDS);
    long ended = START + Math.round(end * SECONDS);
    return new Request(Server.CLIENTS, "ViewStory", "u1", sent, sent, ended, 1, 1, outcome, 1);
  }

  @Test
  void theClientsAreSeenByTheSecondAndNotAsAServer() {
    RequestTable.Builder table = new RequestTable.Builder();
    for (int second = 0; second < 10; second++) {
      for (int i = 1; i <= 100; i++) {
        long sent = START + second * SECONDS + i * MILLIS;
        table.accept(
            new Request(
                Server.CLIENTS,
                "ViewStory",
                "u1",
                sent - 5 * MILLIS,
                sent,
                sent + i * MILLIS,
                1,
                1,
                i == 7 ? Outcome.ERROR : i == 9 ? Outcome.ABORTED : Outcome.OK,
                1));
      }
    }
    Observation observation =
        Stations.observation(
            List.of(new Server(Server.CLIENTS, Server.CLIENTS, List.of())),
            table.build(),
            List.of(),
            START,
            START + 10 * SECONDS);

    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());

    assertThat(result.findings().servers()).isEmpty();
    ClientSeries clients = result.clients();
    assertThat(clients).isNotNull();
    assertThat(clients.requestsPerSecond()).containsOnly(98).hasSize(10);
    assertThat(clients.errorsPerSecond()).containsOnly(2);
    // Of the 99 answers, the 50th is that of 51 ms, and the 99th that of 100 ms.
    assertThat(clients.p50Micros()).containsOnly(51_000);
    assertThat(clients.p99Micros()).containsOnly(100_000);
    Findings.Clients findings = result.findings().clients();
    assertThat(findings).isNotNull();
    assertThat(findings.requests()).isEqualTo(1_000);
    assertThat(findings.errors()).isEqualTo(20);
    assertThat(findings.latencyMicros().p50()).isEqualTo(51_000);
    assertThat(findings.intendedLatencyMicros().p50()).isEqualTo(56_000);
    UserExperience users = result.findings().users();
    assertThat(users).isNotNull();
    assertThat(users.usualP99Micros()).isEqualTo(100_000);
    assertThat(users.slowStretches()).isEmpty();
    assertThat(users.sentence())
        .isEqualTo(
            "Users were served evenly: half of their pages within 51 ms, 99 of 100 within 100 ms."
                + " 20 of 1,000 pages failed.");
  }

  @Test
  void aRunPhaseBoundsTheStretchAndElseTheEdgesAreCut() {
    RequestTable.Builder table = new RequestTable.Builder();
    table.accept(request("a", "x", START, START + 1, Outcome.OK));
    table.accept(request("a", "x", START + 10 * SECONDS, START + 20 * SECONDS, Outcome.OK));
    Observation marked =
        Stations.observation(List.of(), table.build(), List.of(), START + 5, START + 9);
    Observation unmarked = new Observation(List.of(), marked.requests(), List.of(), List.of());

    assertThat(Analysis.stretchOf(marked))
        .isEqualTo(new Stretch(START + 5, START + 9, "phase-run"));
    assertThat(Analysis.stretchOf(unmarked))
        .isEqualTo(new Stretch(START + SECONDS, START + 19 * SECONDS, "trimmed"));
    assertThat(Analysis.analyze(unmarked, AnalysisOptions.defaults()).findings().servers())
        .extracting(ServerFindings::tier)
        .containsExactly("unknown");
  }

  @Test
  void nothingObservedGivesEmptyFindings() {
    Observation nothing =
        new Observation(
            List.of(new Server("app1", "app", List.of())),
            RequestTable.empty(),
            List.of(),
            List.of());

    AnalysisResult result = Analysis.analyze(nothing, AnalysisOptions.defaults());

    assertThat(result.findings().servers()).hasSize(1);
    assertThat(result.findings().servers().getFirst().stalls()).isEmpty();
    assertThat(result.verdict().sentence())
        .as("it is not said that no server stalled")
        .startsWith("The servers' requests were not observed");
    assertThat(result.findings().servers().getFirst().sentence())
        .isEqualTo("app1 was not observed.");
  }

  private static double units(ServerDetail detail, String requestClass) {
    return detail.classes().stream()
        .filter(each -> each.requestClass().equals(requestClass))
        .findFirst()
        .orElseThrow()
        .workUnits();
  }
}
