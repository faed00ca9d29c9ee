package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.ServerDetail;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.SlowStretch;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.TransactionClass;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.analysis.study.Validity;
import org.terrace.observation.Event;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportWriterTest {
  private static final int MOST_BYTES = 3_000_000;
  private static final String HOSTILE =
      "GET /<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&{n}</title></style>-->\u2028";

  @TempDir Path directory;

  @Test
  void nothingIsFetchedFromElsewhere() {
    String page = page(1, 10, 200);

    assertThat(page)
        .doesNotContainPattern("(?i)(src|href|action|data)\\s*=\\s*[\"'](?!#|data:)")
        .doesNotContainPattern("(?i)@import|url\\(|fetch\\(|XMLHttpRequest|WebSocket|import\\(")
        .doesNotContainPattern("(?i)https?://");
  }

  @Test
  void thePolicyAllowsOnlyTheOwnStyleAndScriptByTheirDigests() {
    String page = page(1, 10, 200);

    assertThat(page)
        .contains("http-equiv=\"Content-Security-Policy\"")
        .contains("default-src &#39;none&#39;; style-src &#39;sha256-")
        .doesNotContain("unsafe-inline")
        .doesNotContainPattern("<[^>]+ style=")
        .doesNotContainPattern("<[^>]+ on[a-z]+=");
  }

  @Test
  void congestionEpisodesAreListedWithTheirServers() {
    Observation observation = SyntheticTrial.observation(1, 10, 200);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    String page = ReportWriter.render(result, SyntheticTrial.facts(observation));

    String section =
        page.substring(page.indexOf("id=\"episodes\""), page.indexOf("id=\"congestion\""));
    long episodes =
        result.findings().servers().stream().mapToLong(each -> each.episodes().size()).sum();
    assertThat(episodes).isPositive();
    assertThat(section).containsAnyOf("load beyond N*", "slower than usual at that load");
    assertThat(count(section, "<tr>")).isGreaterThanOrEqualTo((int) Math.min(200, episodes));
  }

  /** As long as the analysis takes them to act, which its tests hold. */
  @Test
  void forHowLongAKillCountsIsSaid() {
    assertThat(page(1, 40, 500))
        .contains("A kill counts for one second more", "an event that has no length for 100 ms");
  }

  @Test
  void aServersRowIsOfOneStretchAndOfOneKindOfError() {
    Observation observation = SyntheticTrial.observation(1, 22, 100);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    String section =
        between(
            ReportWriter.render(result, SyntheticTrial.facts(observation)),
            "id=\"observed\"",
            "</table>");
    long errors = 0;
    long besides = 0;
    for (ServerDetail server : result.servers()) {
      List<Long> cells = numbers(between(section, "<td>" + server.server() + "</td>", "</tr>"));
      long requests = cells.getFirst();
      assertThat(requests).isEqualTo(cells.get(1) + cells.get(3) + cells.get(4));
      assertThat(cells.get(2))
          .as("errors of %s", server.server())
          .isEqualTo(server.classes().stream().mapToLong(each -> each.errors()).sum());
      errors += cells.get(2);
      besides -= requests;
    }
    for (ServerFindings server : result.findings().servers()) {
      besides += server.requests();
    }
    assertThat(errors).isPositive();
    assertThat(besides).isPositive();
    assertThat(section).contains("; %,d requests came before or after".formatted(besides));
  }

  /** The whole numbers among the cells of a row, from the left. */
  private static List<Long> numbers(String row) {
    return Pattern.compile("<td class=\"n\">([\\d,]+)</td>")
        .matcher(row)
        .results()
        .map(match -> Long.valueOf(match.group(1).replace(",", "")))
        .toList();
  }

  @Test
  void transactionsAreThoseOfTheFindings() {
    Observation observation = SyntheticTrial.observation(1, 10, 200);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    Findings.Transactions transactions =
        SyntheticTransactions.of(List.of(HOSTILE), result.stretch().startNanos());

    String page = page(result, transactions, observation);

    String section = between(page, "id=\"transactions\"", "</section>");
    assertThat(section)
        .contains("19,812 transactions, of which 14,020 are complete")
        .contains("51,870 calls have a parent, 80.7 % of those between servers")
        .contains("Slowest complete", "Typical", "Failed", "no complete answer")
        .contains("9.36 ms<span class=\"range\">8.64 ms to 10.1 ms</span>", "n = 4,200")
        .contains("<b>app1, app2</b>", "other calls", "<td class=\"n\">2.44</td>")
        .contains("tcp.port in {40001, 40002, 40003}", "120,000 to 120,001")
        .contains("98.5 % <span class=\"muted\">connection</span>")
        .contains("4 shorter requests left out")
        .contains("all requests", "<b>Slowest</b>", "calls of it may be missing");
    assertThat(page).doesNotContain("<script>alert");
  }

  @Test
  void whyNoCallWasStitchedIsSaid() {
    Observation observation = SyntheticTrial.observation(1, 10, 200);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);

    assertThat(page(result, skipped("It was too much."), observation))
        .contains("It was too much.", "all requests", "77.0 %")
        .doesNotContain("transactions, of which");
    assertThat(page(result, Findings.Transactions.NONE, observation))
        .contains("Requests were not stitched into transactions");
    assertThat(
            page(
                result,
                new Findings.Transactions(
                    9,
                    7,
                    new Findings.Confidence(0.99, 0.92),
                    12,
                    List.of(new TransactionClass("app1", HOSTILE, 9, 800, 300, 0.4))),
                observation))
        .contains("9 transactions, of which 7 are complete", "of an older version", "300 µs");
  }

  private static Findings.Transactions skipped(String reason) {
    return new Findings.Transactions(
        0,
        0,
        new Findings.Confidence(0, 0),
        0,
        List.of(),
        7,
        List.of(),
        SyntheticTransactions.of(List.of("GET /"), 1).tiers(),
        reason);
  }

  private static String page(
      AnalysisResult result, Findings.Transactions transactions, Observation observation) {
    Findings findings = result.findings();
    return ReportWriter.render(
        result.withFindings(findings.withInput(findings.capture(), transactions)),
        SyntheticTrial.facts(observation));
  }

  @Test
  void theMapDrawsWhoCallsWhomAndMarksStalls() {
    Observation observation = SyntheticTrial.observation(1, 40, 500);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    String page = ReportWriter.render(result, SyntheticTrial.facts(observation));

    String map = between(page, "id=\"map\"", "</section>");
    long calls =
        result.findings().servers().stream().mapToLong(server -> server.callers().size()).sum();
    assertThat(calls).isEqualTo(5);
    assertThat(count(map, "<path")).isEqualTo(5);
    assertThat(count(map, "<tr>")).isEqualTo(1 + 5);
    assertThat(count(map, "stalled-box"))
        .isEqualTo(
            (int)
                result.findings().servers().stream()
                    .filter(server -> !server.stalls().isEmpty())
                    .count());
    assertThat(map).contains("href=\"#server=db1\"", "<td>users</td><td>web1");
  }

  @Test
  void anEpisodeLeadsToItsPacketsAndTheRequestsItHeld() {
    Observation observation = SyntheticTrial.observation(1, 40, 500);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    StallPackets packets = result.findings().stallEpisodes().getFirst().packets();
    assertThat(packets).isNotNull();

    String stalls =
        between(
            ReportWriter.render(result, SyntheticTrial.facts(observation)),
            "id=\"stalls\"",
            "</section>");

    assertThat(packets.displayFilter()).contains("frame.time_epoch >= ", "tcp.port == ");
    assertThat(stalls)
        .contains(
            packets
                .displayFilter()
                .replace("&&", "&amp;&amp;")
                .replace(">", "&gt;")
                .replace("<", "&lt;"))
        .contains("meanwhile; longest of all", "requests in flight, up to", "class=\"stall\"");
  }

  @Test
  void theLegendNamesWhatOccursAndNothingElse() {
    String killed = between(page(1, 40, 200), "class=\"legend\"", "</p>");
    String quiet = between(page(1, 10, 200), "class=\"legend\"", "</p>");

    assertThat(killed).contains("kill", "pause", "GC pause").doesNotContain("safepoint");
    assertThat(quiet).contains("GC pause").doesNotContain("kill").doesNotContain("throttled");
  }

  @Test
  void theUsersComeBeforeTheServers() {
    String page = page(1, 40, 500);
    String headline = between(page, "id=\"verdict-sentence\">", "</h1>");

    assertThat(headline)
        .matches(
            ".*>For \\d+ s from \\+\\d+ s, one page in 100 took .* or longer .*; meanwhile .*");
    assertThat(page.indexOf("<h3>Users<")).isLessThan(page.indexOf("<h3>web1<"));
  }

  @Test
  void theHeadlineAndTheEpisodesAreThoseOfTheFindings() {
    Observation observation = SyntheticTrial.observation(1, 40, 500);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    List<StallEpisode> episodes = result.findings().stallEpisodes();
    UserExperience users = result.findings().users();
    assertThat(users).isNotNull();
    assertThat(users.slowStretches()).isNotEmpty();
    assertThat(users.slowStretches())
        .extracting(SlowStretch::stallEpisode)
        .filteredOn(Objects::nonNull)
        .isNotEmpty()
        .allMatch(place -> place < episodes.size());
    TrialFacts facts = SyntheticTrial.facts(observation);

    String page = ReportWriter.render(result, facts);
    String told =
        ReportWriter.render(
            result.withFindings(
                result
                    .findings()
                    .withExperience(
                        List.of(), new UserExperience(null, List.of(), "Planted words."))),
            facts);

    assertThat(count(page, "class=\"episode-head\"")).isEqualTo(Math.min(100, episodes.size()));
    assertThat(between(told, "id=\"verdict-sentence\">", "</h1>")).endsWith(">Planted words.");
    assertThat(told).doesNotContain("class=\"episode-head\"");
  }

  @Test
  void connectionsAreCountedByWhoSpokeWithWhom() {
    String page = page(1, 10, 200);

    String table = between(page, "id=\"connections\">", "</section>");
    assertThat(table)
        .containsSubsequence(
            "<td>app1</td><td>db1</td><td>PostgreSQL</td><td>first bytes of the client</td>",
            "<td class=\"n\">2</td><td class=\"n\">1</td><td class=\"n\">145</td>",
            "<td>web1</td><td>app1</td><td>HTTP/1.1</td>",
            "<td>clients</td><td>web1</td><td>HTTP/1.1</td>");
    assertThat(page).contains("<a href=\"#connections\">Connections</a>");
  }

  @Test
  void anEventIsNamedWithItsCause() {
    JsonNode data = data(page(1, 40, 200));

    assertThat(data.path("kinds").toString()).contains("GC pause, Full: Allocation Failure");
  }

  @Test
  void whatTheScriptReadsIsJson() {
    JsonNode data = data(page(1, 10, 200));

    assertThat(data.path("seconds").doubleValue()).isCloseTo(10, within());
    assertThat(data.path("lanes").size()).isGreaterThan(10);
    assertThat(data.path("stalls").propertyNames()).contains("web1", "app1", "app2", "db1");
  }

  @Test
  void hostileNamesStayTextEverywhere() {
    Observation observation = hostile();
    AnalysisResult result = Analysis.analyze(observation, AnalysisOptions.defaults());
    TrialFacts facts =
        new TrialFacts(
            HOSTILE,
            HOSTILE,
            HOSTILE,
            null,
            List.of(new TrialFacts.Fact(HOSTILE, HOSTILE)),
            List.of(),
            List.of(HOSTILE),
            observation.servers(),
            observation.samples(),
            observation.events());

    String page =
        ReportWriter.render(
            new AnalysisResult(
                result.findings().withValidity(List.of(new Validity(HOSTILE, false, HOSTILE))),
                result.verdict(),
                result.stretch(),
                result.series(),
                result.fineSeries(),
                result.servers(),
                result.clients()),
            facts);

    assertThat(page).contains("&lt;script&gt;alert(1)");
    assertThat(count(page, "<script")).isEqualTo(2);
    assertThat(count(page, "</script")).isEqualTo(2);
    assertThat(count(page, "<style")).isEqualTo(1);
    assertThat(page).doesNotContain("<img").doesNotContain("-->");
    assertThat(data(page).toString()).contains("alert(1)");
  }

  @Test
  void aFailedCheckComesBeforeAnythingElse() {
    Observation observation = SyntheticTrial.observation(1, 10, 100);
    String page =
        ReportWriter.render(
            SyntheticTrial.analyse(observation, false), SyntheticTrial.facts(observation));

    assertThat(page.indexOf("Do not trust these figures"))
        .isPositive()
        .isLessThan(page.indexOf("<h1"));
  }

  @Test
  void aLongTrialOfManyServersStaysWithinTheSize() {
    RequestTable.Builder requests = new RequestTable.Builder();
    List<Server> servers = new java.util.ArrayList<>();
    List<Event> events = new java.util.ArrayList<>();
    for (int server = 0; server < 14; server++) {
      String name = "app" + server;
      servers.add(new Server(name, "app", List.of()));
      for (int i = 0; i < 2_000; i++) {
        long at = SyntheticTrial.START_NANOS + i * 300_000_000L;
        requests.accept(
            new Request(name, "GET /" + i, "c", at, at, at + 90_000_000L, 1, 1, Outcome.OK, i));
        events.add(new Event(name, "gc-pause", at, at + 1_000_000, Map.of("cause", "young")));
      }
    }
    Observation observation = new Observation(servers, requests.build(), List.of(), events);

    String page =
        ReportWriter.render(
            Analysis.analyze(observation, AnalysisOptions.defaults()),
            TrialFacts.of("long", null, observation));

    assertThat(page.length()).isLessThan(MOST_BYTES);
    assertThat(page).contains("✂ ");
  }

  @Test
  void requestsAloneMakeAReport() {
    RequestTable.Builder requests = new RequestTable.Builder();
    requests.accept(new Request("web1", "GET /", "c", 5, 5, 9, 1, 1, Outcome.OK, 0));
    Observation observation =
        new Observation(
            List.of(new Server("web1", "web", List.of())), requests.build(), List.of(), List.of());

    String page =
        ReportWriter.render(
            Analysis.analyze(observation, AnalysisOptions.defaults()),
            TrialFacts.of("capture.pcapng", null, observation));

    assertThat(withoutScript(page))
        .contains("web1")
        .doesNotContain("NaN")
        .doesNotContain("Infinity");
  }

  /** Zeros would tell of the quickest server that there is. */
  @Test
  void whoAnsweredNothingHasNoResponseTimes() {
    RequestTable.Builder requests = new RequestTable.Builder();
    for (int i = 0; i < 500; i++) {
      long at = SyntheticTrial.START_NANOS + i * 5_000_000L;
      requests.accept(new Request("web1", "GET /", "c", at, at, at + 9, 1, 1, Outcome.ABORTED, i));
    }
    Observation observation =
        new Observation(
            List.of(new Server("web1", "web", List.of())), requests.build(), List.of(), List.of());

    String page =
        ReportWriter.render(
            Analysis.analyze(observation, AnalysisOptions.defaults()),
            TrialFacts.of("capture.pcapng", null, observation));

    assertThat(withoutScript(page))
        .contains("web1 answered none of its ")
        .contains("<dt>Median</dt><dd>–</dd>", "<dt>99th percentile</dt><dd>–</dd>")
        .doesNotContain("within 0 µs");
  }

  @Test
  void nothingAtAllMakesAReport() {
    Observation observation =
        new Observation(List.of(), RequestTable.empty(), List.of(), List.of());

    String page =
        ReportWriter.render(
            Analysis.analyze(observation, AnalysisOptions.defaults()),
            TrialFacts.of("nothing", null, observation));

    assertThat(withoutScript(page)).contains("were not observed").doesNotContain("NaN");
  }

  @Test
  void aDirectoryIsRenderedAgainWithWhatOnlyTheRunKnew() {
    Observation observation = SyntheticTrial.observation(1, 10, 200);
    AnalysisResult result = SyntheticTrial.analyse(observation, true);
    ResultDirectory.write(directory, observation, result, SyntheticTrial.facts(observation));
    String first = read("report.html");
    String findings = read("findings.json");

    ResultDirectory.render(directory, AnalysisOptions.defaults());

    assertThat(read("report.html")).isEqualTo(first);
    assertThat(read("findings.json")).isEqualTo(findings);
    assertThat(findings).contains("generator-lateness");
  }

  /** The page and its data without the project's own script. */
  private static String withoutScript(String page) {
    return page.substring(0, page.indexOf("<script>"));
  }

  private String read(String name) {
    try {
      return java.nio.file.Files.readString(directory.resolve(name));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(0.001);
  }

  private static String between(String page, String start, String end) {
    int from = page.indexOf(start);
    return page.substring(from, page.indexOf(end, from));
  }

  private static String page(long seed, double seconds, double pagesPerSecond) {
    Observation observation = SyntheticTrial.observation(seed, seconds, pagesPerSecond);
    return ReportWriter.render(
        SyntheticTrial.analyse(observation, true), SyntheticTrial.facts(observation));
  }

  private static JsonNode data(String page) {
    Matcher script =
        Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>")
            .matcher(page);
    assertThat(script.find()).isTrue();
    return new JsonMapper().readTree(script.group(1));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  private static Observation hostile() {
    RequestTable.Builder requests = new RequestTable.Builder();
    for (int i = 0; i < 500; i++) {
      long at = SyntheticTrial.START_NANOS + i * 10_000_000L;
      requests.accept(
          new Request(HOSTILE, HOSTILE, HOSTILE, at, at, at + 5_000_000, 1, 1, Outcome.OK, i));
      requests.accept(
          new Request(
              Server.CLIENTS, HOSTILE, HOSTILE, at, at, at + 5_000_000, 1, 1, Outcome.OK, i));
    }
    return new Observation(
        List.of(
            new Server(Server.CLIENTS, Server.CLIENTS, List.of()),
            new Server(HOSTILE, HOSTILE, List.of(HOSTILE))),
        requests.build(),
        List.of(
            new Sample(HOSTILE, HOSTILE, SyntheticTrial.START_NANOS + 1_000_000_000L, 1),
            new Sample(HOSTILE, HOSTILE, SyntheticTrial.START_NANOS + 2_000_000_000L, 2)),
        List.of(
            new Event(
                HOSTILE,
                "fault-" + HOSTILE,
                SyntheticTrial.START_NANOS + 2_000_000_000L,
                SyntheticTrial.START_NANOS + 3_000_000_000L,
                Map.of(HOSTILE, HOSTILE)),
            new Event(
                HOSTILE,
                HOSTILE,
                SyntheticTrial.START_NANOS + 2_000_000_000L,
                SyntheticTrial.START_NANOS + 3_000_000_000L,
                Map.of(HOSTILE, HOSTILE))));
  }
}
