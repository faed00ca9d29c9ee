package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Clients;
import org.terrace.analysis.finding.Findings.Latency;
import org.terrace.analysis.finding.Findings.Stall;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.threshold.Threshold;

class ThresholdTest {
  private static final Latency SERVED = new Latency(2_000, 1_500, 90_000, 120_000, 200_000);
  private static final Latency SEEN = new Latency(3_000, 2_500, 180_000, 240_000, 400_000);

  private static Findings findings(@Nullable Clients clients) {
    Stall stall = new Stall(1_000_000_000, 1_060_000_000, 40, 1, List.of(), null, null);
    ServerFindings app =
        new ServerFindings(
            "app1",
            "app",
            1_000,
            100,
            SERVED,
            new CongestionPoint(
                false, null, null, null, 3, null, List.of(), null, null, null, null, null, null),
            List.of(stall, stall),
            List.of(),
            null,
            List.of(),
            null,
            null,
            List.of());
    return new Findings(
        Findings.FORMAT,
        null,
        Findings.Window.NONE,
        List.of(app),
        Findings.Transactions.NONE,
        clients,
        List.of(),
        List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "users p99 > 200ms, false",
    "users p99 > 180ms, false",
    "users p99 >= 180ms, true",
    "users p99 > 0.1s, true",
    "users p50 > 2499us, true",
    "users errors > 1%, true",
    "users errors > 2%, false",
    "app1 p99 > 90ms, false",
    "app1 p99 > 89ms, true",
    "app1 stalled > 100 ms, true",
    "app1 stalled > 120 ms, false",
    "users throughput < 98/s, false",
    "users throughput < 99/s, true",
    "app1 throughput < 100/s, false",
    "app1 throughput <= 100/s, true",
    "app1 throughput < 101/s, true"
  })
  void aConditionThatHoldsFailsTheResult(String condition, boolean failed) {
    Findings findings = findings(new Clients(1_000, 15, 98.5, SEEN, SEEN, null));

    assertThat(Threshold.parse(condition).judge(ResultMetrics.byName(findings)).failed())
        .isEqualTo(failed);
  }

  @Test
  void usersWhomNobodyWatchedAreTheCallersOfTheFirstServer() {
    assertThat(Threshold.parse("users p99 > 89ms").judge(ResultMetrics.byName(findings(null))))
        .isEqualTo(
            new Threshold.Judgement("users p99 > 89ms", 90.0, true, "users p99 is 90.00 ms"));
  }

  @Test
  void whatWasNotMeasuredFailsAndSaysWhatWas() {
    Threshold.Judgement judgement =
        Threshold.parse("app9 p99 > 10s").judge(ResultMetrics.byName(findings(null)));

    assertThat(judgement.failed()).isTrue();
    assertThat(judgement.value()).isNull();
    assertThat(judgement.detail()).contains("no figure 'app9 p99'", "app1 p99", "users p50");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "users",
        "users p99",
        "users p99 > ",
        "users p99 > 5",
        "users p98 > 5ms",
        "users p99 > -5ms",
        "users p99 = 5ms",
        "p99 > 5ms",
        "users errors > 5ms",
        "app1 throughput < 5%",
        "users p99 > 5ms and more",
        "users p99 > NaNms"
      })
  void whatIsNoConditionIsRefused(String text) {
    assertThatThrownBy(() -> Threshold.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }
}
