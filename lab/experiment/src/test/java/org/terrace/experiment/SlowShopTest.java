package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/** A real shop of nginx, an application and PostgreSQL, whose table was locked by a migration. */
class SlowShopTest {
  private static final Path CAPTURE =
      Path.of(System.getProperty("terrace.root"), "examples/slow-shop/slow.pcap.gz");

  /** The duration in PostgreSQL's own log of the statement that held the lock, in milliseconds. */
  private static final double LOCKED_MILLIS = 763.3;

  private static final List<Server> NAMED =
      List.of(
          new Server("nginx", "web", List.of("10.77.0.2:8080")),
          new Server("shop", "app", List.of("10.77.0.3:8000")),
          new Server("postgresql", "database", List.of("10.77.0.4:5432")));

  @Test
  void theDatabaseIsNamedAndTheOthersOnlyWaited() {
    AnalysisResult result = analyse(NAMED);

    assertThat(result.verdict().stalls())
        .singleElement()
        .satisfies(stall -> {
          assertThat(stall.server()).isEqualTo("postgresql");
          assertThat(stall.totalMillis()).isBetween(LOCKED_MILLIS, LOCKED_MILLIS + 50);
        });
    assertThat(result.findings().servers())
        .extracting(ServerFindings::name)
        .containsExactly("nginx", "shop", "postgresql");
    assertThat(wait(result, "nginx")).isEqualTo("shop");
    assertThat(wait(result, "shop")).isEqualTo("postgresql");
  }

  @Test
  void withoutNamesItIsTheSame() {
    AnalysisResult result = analyse(List.of());

    assertThat(result.verdict().sentence())
        .startsWith("10.77.0.4:5432 stalled once")
        .contains("only waited once");
    assertThat(result.findings().servers())
        .extracting(ServerFindings::tier)
        .containsExactly("web", "app", "database");
  }

  @Test
  void theStoryOfTheGuideIsWhatIsFound() throws IOException {
    String guide =
        Files.readString(Path.of(System.getProperty("terrace.root"), "docs/guide/a-case.md"));

    AnalysisResult result = analyse(NAMED);

    assertThat(guide).contains("> " + result.verdict().sentence());
    assertThat(result.findings().servers())
        .allSatisfy(server -> assertThat(guide).contains("> " + server.sentence()));
    assertThat(guide.lines().filter(line -> line.startsWith("| `")))
        .containsExactlyElementsOf(slowStatements());
  }

  /** The answer to the guide's question to the requests table. */
  private static List<String> slowStatements() {
    RequestTable table = CaptureAnalysis.of(CAPTURE, NAMED).requests();
    return IntStream.range(0, table.size())
        .mapToObj(table::request)
        .filter(each -> each.server().equals("postgresql"))
        .filter(each ->
            each.departureNanos() - each.arrivalNanos() > 300_000_000
                || each.client().equals("10.77.0.1"))
        .map(each ->
            String.format(
                Locale.ROOT,
                "| `%s` | %s | %d | %d | %.0f |",
                each.requestClass(),
                each.client(),
                each.exchange().firstFrame(),
                each.exchange().lastFrame(),
                (each.departureNanos() - each.arrivalNanos()) / 1e6))
        .toList();
  }

  private static AnalysisResult analyse(List<Server> named) {
    CaptureAnalysis capture = CaptureAnalysis.of(CAPTURE, named);
    assertThat(capture.losses()).isEmpty();
    return Analysis.analyze(
        new Observation(
            capture.wire().servers(),
            capture.requests(),
            capture.wire().samples(),
            capture.wire().events(),
            capture.connections()),
        AnalysisOptions.defaults());
  }

  /** The server that a server waited for in its only stall. */
  private static String wait(AnalysisResult result, String server) {
    List<Findings.Stall> stalls =
        result.findings().servers().stream()
            .filter(each -> each.name().equals(server))
            .findFirst()
            .orElseThrow()
            .stalls();
    assertThat(stalls).hasSize(1);
    assertThat(stalls.getFirst().behaviour()).isEqualTo(Behaviour.WAITED);
    return String.valueOf(stalls.getFirst().waitedFor());
  }
}
