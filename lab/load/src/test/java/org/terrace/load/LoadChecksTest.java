package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadChecksTest {
  /** Figures of a healthy run but for the given ones; times in microseconds. */
  private static GeneratorFacts facts(
      double responseP99, double latenessP99, double sentinelP99, double cores, double achieved) {
    return new GeneratorFacts(
        100,
        1000,
        0,
        100,
        achieved,
        500,
        responseP99,
        responseP99,
        100,
        latenessP99,
        90,
        sentinelP99,
        cores,
        1,
        0,
        0,
        0,
        0,
        1,
        0,
        0,
        0);
  }

  private static LoadCheck clock(double driftMicros) {
    return check(
        "clock-kept",
        new GeneratorFacts(
            1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.1, 1, 0, 0, 0, 0, 1, 0, 0, driftMicros),
        Map.of());
  }

  @Test
  void aWallClockThatIsSetDuringTheRunFails() {
    assertThat(clock(4_900).passed()).isTrue();
    assertThat(clock(-4_900).passed()).isTrue();
    assertThat(clock(5_100).passed()).isFalse();
    assertThat(clock(-3_600e6).passed()).isFalse();
    assertThat(clock(5_100).detail()).contains("moved by 5.10 ms", "it was set during the run");
  }

  private static LoadCheck check(String name, GeneratorFacts facts, Map<Failure, Long> failures) {
    List<LoadCheck> checks = LoadChecks.judge(facts, failures, true, 0);
    return checks.stream().filter(check -> check.name().equals(name)).findFirst().orElseThrow();
  }

  private static LoadCheck lateness(double responseP99, double latenessP99, double sentinelP99) {
    return check(
        "generator-lateness",
        facts(responseP99, latenessP99, sentinelP99, 0.1, 100),
        Map.of(Failure.NONE, 1000L));
  }

  @Test
  void latenessMayReachFiveMillisecondsOrATenthOfTheResponseTime() {
    assertThat(lateness(10_000, 4_900, 100).passed()).isTrue();
    assertThat(lateness(10_000, 5_100, 100).passed()).isFalse();
    assertThat(lateness(400_000, 39_000, 100).passed()).isTrue();
    assertThat(lateness(400_000, 41_000, 100).passed()).isFalse();
  }

  @Test
  void aLateMachineIsNamedButStillFailsTheRun() {
    assertThat(lateness(10_000, 50_000, 100).detail()).contains("the machine was not");
    LoadCheck machine = lateness(10_000, 50_000, 45_000);
    assertThat(machine.passed()).isFalse();
    assertThat(machine.detail()).contains("the machine had too much to do");
  }

  @Test
  void aBusyGeneratorAndAMissedRateFail() {
    GeneratorFacts good = facts(1000, 100, 100, 0.7, 98.5);
    GeneratorFacts bad = facts(1000, 100, 100, 0.71, 97.5);

    assertThat(check("generator-cpu", good, Map.of()).passed()).isTrue();
    assertThat(check("generator-cpu", bad, Map.of()).passed()).isFalse();
    assertThat(check("achieved-rate", good, Map.of()).passed()).isTrue();
    assertThat(check("achieved-rate", bad, Map.of()).passed()).isFalse();
  }

  @Test
  void oneSocketThatThisMachineDidNotGiveFails() {
    GeneratorFacts facts = facts(1000, 100, 100, 0.1, 100);

    assertThat(
            check("connections", facts, Map.of(Failure.NONE, 999L, Failure.REFUSED, 9L)).passed())
        .isTrue();
    assertThat(
            check("connections", facts, Map.of(Failure.NONE, 999L, Failure.REFUSED, 20L)).passed())
        .isFalse();
    assertThat(check("connections", facts, Map.of(Failure.NONE, 999L, Failure.LOCAL, 1L)).passed())
        .isFalse();
  }

  @Test
  void quantilesOfTheHistogramAreWithinOnePercent() {
    TimeHistogram histogram = new TimeHistogram();
    assertThat(histogram.quantile(0.99)).isZero();
    for (long value = 1; value <= 1_000_000; value++) {
      histogram.add(value);
    }

    assertThat(histogram.count()).isEqualTo(1_000_000);
    for (double share : new double[] {0.001, 0.5, 0.99, 0.999, 1}) {
      assertThat(histogram.quantile(share) / (share * 1_000_000)).isBetween(1.0, 1.008);
    }
    histogram.add(Long.MAX_VALUE);
    assertThat(histogram.quantile(1)).isEqualTo(Long.MAX_VALUE);
  }
}
