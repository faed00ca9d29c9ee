package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Clients;
import org.terrace.analysis.finding.Findings.Latency;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.details.comparison.Metric;

class ResultMetricsTest {
  private static final Latency TIMES = new Latency(2_000, 1_500, 90_000, 120_000, 200_000);

  private static ServerFindings server(String name) {
    return new ServerFindings(
        name,
        name,
        1_000,
        100,
        TIMES,
        new CongestionPoint(
            false, null, null, null, 3, null, List.of(), null, null, null, null, null, null),
        List.of(),
        List.of(),
        null,
        List.of(),
        null,
        null,
        List.of());
  }

  private static Findings findings(@Nullable Clients clients, ClassResponses... responses) {
    List<ServerFindings> servers = List.of(server("web1"), server("db1"));
    return new Findings(
            Findings.FORMAT,
            null,
            Findings.Window.NONE,
            servers,
            Findings.Transactions.NONE,
            clients,
            List.of(),
            List.of())
        .withDetails(servers, List.of(), List.of(responses));
  }

  private static ClassResponses responses(String server, String name, long count, long errors) {
    return new ClassResponses(server, name, count, errors, List.of(), List.of(0L));
  }

  private static Optional<Map.Entry<Metric, Double>> figure(Findings findings, String name) {
    return ResultMetrics.of(findings).entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .findFirst();
  }

  @Test
  void failedAnswersOfTheFirstServerDecideAndThoseOfOthersAreTold() {
    Findings findings =
        findings(
            null,
            responses("web1", "GET /", 300, 6),
            responses("web1", "GET /cart", 100, 0),
            responses("db1", "SELECT", 50, 50));

    assertThat(figure(findings, "web1 errors"))
        .hasValueSatisfying(each -> {
          assertThat(each.getKey().decides()).isTrue();
          assertThat(each.getValue()).isEqualTo(1.5);
        });
    assertThat(figure(findings, "db1 errors"))
        .hasValueSatisfying(each -> {
          assertThat(each.getKey().decides()).isFalse();
          assertThat(each.getValue()).isEqualTo(100);
        });
    assertThat(ResultMetrics.byName(findings)).containsEntry("users errors", 1.5);
  }

  @Test
  void failedPagesDecideWhereTheUsersWereWatched() {
    Findings findings =
        findings(new Clients(1_000, 15, 98.5, TIMES, TIMES, null), responses("web1", "/", 9, 9));

    assertThat(figure(findings, "web1 errors"))
        .hasValueSatisfying(each -> assertThat(each.getKey().decides()).isFalse());
    assertThat(ResultMetrics.byName(findings)).containsEntry("users errors", 1.5);
  }

  /** As in a file that is older than the outcomes of requests. */
  @Test
  void outcomesThatAreNotKnownAreNoAbsenceOfErrors() {
    assertThat(ResultMetrics.byName(findings(null)))
        .containsKeys("web1 p99", "users p99")
        .doesNotContainKeys("web1 errors", "users errors");
  }
}
