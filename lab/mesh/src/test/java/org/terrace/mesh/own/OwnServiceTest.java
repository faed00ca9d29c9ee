package org.terrace.mesh.own;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Behaviour;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.ValidityCheck;
import org.terrace.observation.Observation;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;

/** The committed example of a service of one's own, run as it stands. */
@Tag("real-processes")
@Timeout(240)
@Tag("long")
class OwnServiceTest {
  private static final long COUNTED_NANOS = 400_000_000L;

  @TempDir private Path directory;

  @Test
  void theTierThatHoldsTheRequestsUpIsNamed() throws Exception {
    String specification = OwnTrials.committed("own-service.yaml", "127.41");
    Trial trial = OwnTrials.run(specification, directory, OwnTrials.told());
    Observation observed = TrialAnalysis.of(trial).observation();
    AnalysisResult result = Analysis.analyze(observed, AnalysisOptions.defaults());

    assertThat(failed(trial)).doesNotContain("servers-alive", "capture-complete", "connections");
    assertThat(trial.validity()).extracting(ValidityCheck::check).contains("readings-complete");
    assertThat(result.findings().servers())
        .extracting(server -> server.tier() + " " + server.name())
        .containsExactly("web web1", "app app1");
    // A machine that others use may let the shop stand still as well, and more often.
    assertThat(result.verdict().sentence()).contains("app1 stalled");
    assertCountsAreStallsOf(server(result, "app1"), server(result, "web1"));
    assertRequestsAreTheMix(trial.clientRequests());
    // The readers of metrics are left out of the capture, the users are not.
    assertThat(server(result, "web1").requests())
        .isGreaterThan(trial.clientRequests().size() * 9L / 10);
    assertMetricsAreReadWithoutATrace(trial, observed);
    assertThat(directory.resolve("logs/app1.log")).content().contains("stock at 127.41.2.1:8080");
    assertThat(directory.resolve("logs/web1.log"))
        .content()
        .contains("stocks at [127.41.2.1:8080]");
  }

  /**
   * The stock is counted four times in twenty seconds: it stood still, and the shop waited. A
   * machine that others use may stop either for as long, at most as often.
   */
  private static void assertCountsAreStallsOf(ServerFindings app, ServerFindings web) {
    List<Findings.Stall> counts = longOnes(app);
    assertThat(counts).as("%s", app.stalls()).hasSizeBetween(4, 8);
    assertThat(counts).allMatch(stall -> stall.behaviour() != Behaviour.WAITED);
    assertThat(longOnes(web))
        .as("%s", web.stalls())
        .filteredOn(stall -> stall.behaviour() == Behaviour.WAITED)
        .hasSizeGreaterThanOrEqualTo(4)
        .allMatch(stall -> "app1".equals(stall.waitedFor()));
  }

  /** The stock's one page of metrics is asked for by nobody but Terrace. */
  private static void assertMetricsAreReadWithoutATrace(Trial trial, Observation observed) {
    assertThat(trial.samples())
        .filteredOn(sample -> sample.resource().equals("pool-readers"))
        .allMatch(sample -> sample.node().equals("app1"))
        .hasSizeGreaterThan(20)
        .anyMatch(sample -> sample.value() == 1.0);
    assertThat(trial.samples())
        .extracting(Sample::resource)
        .contains("stock_looks_total-per-second");
    assertThat(observed.requests().requestClasses())
        .anyMatch(name -> name.contains("/stock"))
        .noneMatch(name -> name.contains("/metrics"));
  }

  private static List<Findings.Stall> longOnes(ServerFindings server) {
    return server.stalls().stream()
        .filter(stall -> stall.endNanos() - stall.startNanos() > COUNTED_NANOS / 2)
        .toList();
  }

  private static void assertRequestsAreTheMix(RequestTable requests) {
    long orders = count(requests, "order");
    long looks = count(requests, "look");
    assertThat(orders + looks).isEqualTo(requests.size()).isGreaterThan(1_000);
    assertThat((double) orders / requests.size()).isBetween(0.05, 0.15);
    assertThat(IntStream.range(0, requests.size()).mapToObj(requests::request))
        .filteredOn(request -> request.outcome() == Outcome.ERROR)
        .isEmpty();
  }

  private static long count(RequestTable requests, String requestClass) {
    return IntStream.range(0, requests.size())
        .filter(row -> requests.request(row).requestClass().equals(requestClass))
        .count();
  }

  private static ServerFindings server(AnalysisResult result, String name) {
    return result.findings().servers().stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> failed(Trial trial) {
    return trial.validity().stream()
        .filter(check -> !check.passed())
        .map(ValidityCheck::check)
        .toList();
  }
}
