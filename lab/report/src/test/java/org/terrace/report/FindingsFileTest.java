package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.analysis.finding.CongestionEpisode;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.PooledEvents;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.SlowStretch;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.StallPackets;
import org.terrace.analysis.finding.TransactionClass;
import org.terrace.analysis.finding.UserExperience;
import org.terrace.analysis.finding.Verdict;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.core.TerraceException;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FindingsFileTest {
  /** The example of the design; fields are only ever added to it. */
  static final String DESIGN =
      """
      { "format": "terrace-findings/1",
        "capture": {"packets": 0, "bytes": 0, "droppedPackets": 0, "gaps": 0,
                    "midStreamConnections": 0},
        "window": {"millis": 50, "chosen": "automatic"},
        "servers": [ { "name": "app1", "tier": "app", "requests": 0, "requestsPerSecond": 0.0,
            "residenceMicros": {"mean": 0, "p50": 0, "p99": 0, "max": 0},
            "congestionPoint": {"identifiable": true, "load": 0.0, "low": 0.0, "high": 0.0,
                                "maximumLoadSeen": 0.0},
            "stalls": [ {"startNanos": 0, "endNanos": 0, "peakLoad": 0.0, "unexplainedShare": 0.0,
                "causes": [ {"kind": "gc-pause", "node": "app1", "share": 0.0, "p": 0.0} ]} ] } ],
        "transactions": {"count": 0, "complete": 0, "confidence": {"p50": 0.0, "p05": 0.0}},
        "clients": {"requests": 0, "errors": 0,
                    "latencyMicros": {"p50": 0, "p99": 0, "p999": 0, "max": 0}},
        "validity": [ {"check": "generator-lateness", "passed": true, "detail": ""} ],
        "claims": [ {"id": "", "paper": "", "claim": "", "published": "", "measured": "",
                     "verdict": "reproduced"} ] }
      """;

  @TempDir Path directory;

  private final JsonMapper json = new JsonMapper();

  @Test
  void whatIsWrittenHasEveryFieldOfTheDesignWithItsType() {
    JsonNode written = json.readTree(FindingsFile.toJson(findings()));

    assertThat(missing("", json.readTree(DESIGN), written)).isEmpty();
  }

  @Test
  void theExampleOfTheDesignIsRead() throws IOException {
    Path file = Files.writeString(directory.resolve("findings.json"), DESIGN);

    Findings read = FindingsFile.read(file);

    assertThat(read.servers()).singleElement().extracting("name").isEqualTo("app1");
    assertThat(read.servers().getFirst().stalls().getFirst().causes())
        .extracting(Findings.Cause::kind)
        .containsExactly("gc-pause");
  }

  @Test
  void findingsAreReadBackEqual() {
    Path file = directory.resolve("findings.json");

    FindingsFile.write(file, findings());

    assertThat(FindingsFile.read(file)).isEqualTo(findings());
  }

  @Test
  void nothingSeenIsWrittenAsNull() {
    Findings findings =
        new Findings(
            Findings.FORMAT,
            null,
            new Findings.Window(50, "default"),
            List.of(),
            Findings.Transactions.NONE,
            null,
            List.of(),
            List.of());

    JsonNode written = json.readTree(FindingsFile.toJson(findings));

    assertThat(written.get("capture").isNull()).isTrue();
    assertThat(written.get("clients").isNull()).isTrue();
  }

  @Test
  void unknownFieldsArePassedOver() throws IOException {
    Path file = directory.resolve("findings.json");
    Files.writeString(file, DESIGN.replace("\"tier\": \"app\"", "\"tier\": \"app\", \"new\": {}"));

    assertThat(FindingsFile.read(file).servers()).hasSize(1);
  }

  @Test
  void anotherFormatIsRefused() throws IOException {
    Path file = directory.resolve("findings.json");
    for (String text : List.of("{\"format\": \"terrace-bench/1\"}", "[]", "{", "", "null")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> FindingsFile.read(file))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("findings.json");
    }
  }

  private static List<String> missing(String path, JsonNode expected, JsonNode actual) {
    List<String> missing = new ArrayList<>();
    if (expected.isArray()) {
      missing.addAll(missing(path + "[0]", expected.get(0), actual.path(0)));
    } else if (expected.isObject()) {
      for (Map.Entry<String, JsonNode> field : expected.properties()) {
        String name = path + "." + field.getKey();
        if (actual.has(field.getKey())) {
          missing.addAll(missing(name, field.getValue(), actual.get(field.getKey())));
        } else {
          missing.add(name);
        }
      }
    } else if (expected.isNumber() != actual.isNumber()
        || expected.isBoolean() != actual.isBoolean()
        || expected.isString() != actual.isString()) {
      missing.add(path + " is " + actual);
    }
    return missing;
  }

  @Test
  void aWaitNamesTheServerThatWasWaitedFor() {
    JsonNode stall =
        new JsonMapper().readTree(FindingsFile.toJson(findings())).at("/servers/0/stalls/0");

    assertThat(stall.at("/behaviour").asString()).isEqualTo("waited");
    assertThat(stall.at("/waitedFor").asString()).isEqualTo("db1");
    assertThat(stall.at("/causes/0/agreement").asDouble()).isEqualTo(0.8);
  }

  @Test
  void anEpisodeSaysInWhichWayItsServerWasCongested() {
    JsonNode episode = json.readTree(FindingsFile.toJson(findings())).at("/servers/0/episodes/0");

    assertThat(episode.at("/kind").asString()).isEqualTo("slow");
    assertThat(episode.at("/ofUsual").asDouble()).isEqualTo(0.4);
    JsonNode server = json.readTree(FindingsFile.toJson(findings())).at("/servers/0");
    assertThat(server.at("/shortestStallMillis").asDouble()).isEqualTo(12.5);
    assertThat(server.at("/pooled/0/seen").asInt()).isEqualTo(3);
    assertThat(server.at("/lostMillis").asDouble()).isEqualTo(30);
    assertThat(episode.at("/endNanos").asLong()).isEqualTo(3_000);
  }

  @Test
  void whatTheReportSaysFirstIsInTheFile() {
    JsonNode written = json.readTree(FindingsFile.toJson(findings()));

    assertThat(written.at("/users/sentence").asString()).isEqualTo("For 1 s pages were slow.");
    JsonNode slow = written.at("/users/slowStretches/0");
    assertThat(slow.propertyNames())
        .containsExactly(
            "startNanos",
            "endNanos",
            "worstP99Micros",
            "excessMicros",
            "heldUpSeconds",
            "stallEpisode");
    JsonNode episode = written.at("/stallEpisodes").get(slow.at("/stallEpisode").asInt());
    assertThat(episode.at("/stalls/0").asInt()).isZero();
    assertThat(episode.at("/waiters/0/waitedNanos").asLong()).isEqualTo(900);
    assertThat(episode.at("/likely/0/kind").asString()).isEqualTo("gc-pause");
  }

  @Test
  void filesFromBeforeTheExperienceOfUsersAreRead() throws IOException {
    Path file = Files.writeString(directory.resolve("findings.json"), DESIGN);

    assertThat(FindingsFile.read(file).users()).isNull();
    assertThat(FindingsFile.read(file).stallEpisodes()).isEmpty();
  }

  private static List<CapturePoint> points() {
    return List.of(
        new CapturePoint("web", List.of("web.pcap"), 7, 0, null, 0L, null, List.of(), List.of()),
        new CapturePoint(
            "app",
            List.of("app.pcap"),
            9,
            6,
            "web",
            40L,
            90L,
            List.of(
                new CapturePoint.Offset(1, 5, -7_000, -7_040L, -6_960L, 0, -1.5, 2.5),
                new CapturePoint.Offset(6, 9, -8_000, null, null, 0, -1_000, 1_000)),
            List.of("its clock was set.")));
  }

  static Findings findings() {
    Findings.Latency latency = new Findings.Latency(1.5, 1, 2, 3, 4);
    Findings told =
        new Findings(
                Findings.FORMAT,
                new CaptureFigures(10, 2_000, 1, 2, 3).withPoints(points()),
                new Findings.Window(50, "automatic"),
                List.of(
                    new ServerFindings(
                        "app1",
                        "app",
                        9,
                        4.5,
                        latency,
                        new CongestionPoint(
                            true,
                            8.0,
                            7.5,
                            8.5,
                            20,
                            null,
                            List.of(new CongestionPoint.Scale(50, 8.0, null, null)),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null),
                        List.of(
                            new Findings.Stall(
                                1_000,
                                2_000,
                                12,
                                0.25,
                                List.of(
                                    new Findings.Cause(
                                        "gc-pause", "app1", 0.75, 0.001, 0.01, 9.0, 0.8)),
                                Findings.Behaviour.WAITED,
                                "db1")),
                        List.of(
                            new CongestionEpisode(
                                1_000,
                                3_000,
                                CongestionEpisode.Kind.SLOW,
                                7,
                                0.4,
                                1,
                                List.of(),
                                "db1")),
                        12.5,
                        List.of(new PooledEvents("gc-pause", 20, 4, 80, 3, 0.001)),
                        30.0,
                        "app1 only waited once, for db1.",
                        List.of(new Caller("web1", 9, 4.5, latency, 1)))),
                new Findings.Transactions(
                    9,
                    7,
                    new Findings.Confidence(0.99, 0.92),
                    12,
                    List.of(new TransactionClass("app1", "GET /", 9, 800, 300.5, 0.4)),
                    5,
                    SyntheticTransactions.of(List.of("GET /"), 1_000).profiles(),
                    SyntheticTransactions.of(List.of("GET /"), 1_000).tiers(),
                    "told for the test"),
                new Findings.Clients(9, 1, 0.5, latency, latency, null),
                List.of(new Validity("generator-lateness", true, "within 1 ms")),
                List.of(
                    new Claim(
                        "1", "paper", "claim", "a", "b", Claim.Verdict.CANNOT_TELL, "too few")))
            .withOutcome(
                List.of("12 packets were lost"),
                List.of(
                    new Threshold.Judgement(
                        "users p99 > 89ms", 90.0, true, "users p99 is 90.00 ms")))
            .withExperience(
                List.of(
                    new StallEpisode(
                        "app1",
                        1_000,
                        2_000,
                        1_000,
                        12,
                        List.of(0),
                        0,
                        "db1",
                        List.of(new Verdict.CauseSummary("gc-pause", "app1", 1)),
                        List.of(new Verdict.CauseSummary("fault-kill", "db1", 1)),
                        List.of(new StallEpisode.Waiter("web1", 2, 900)),
                        new StallPackets(
                            5L,
                            9L,
                            "frame.number >= 5 && frame.number <= 9",
                            12,
                            List.of(
                                new StallPackets.HeldRequest(
                                    "GET /", "web1", 900, 2.5, "ok", 4L, 9L)),
                            List.of(new StallPackets.FrameRange(5L, null))))),
                new UserExperience(
                    4.5,
                    List.of(new SlowStretch(0, 3_000, 90.5, 86, 1, 0)),
                    "For 1 s pages were slow."));
    return told.withDetails(
        told.servers(),
        told.stallEpisodes(),
        List.of(
            new ClassResponses("app1", null, 9, 1, List.of(960L, 1_024L), List.of(0L, 9L, 0L))));
  }
}
