package org.terrace.details.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;
import org.terrace.testing.Seeds;

class ResultComparisonTest {
  private static final double MARGIN = 0.05;
  private static final int COMPARISONS = 2_000;
  private static final Metric TIME = new Metric("p99", "ms", Scale.RATIO, Better.LESS, 0, true);
  private static final Metric RATE = new Metric("rate", "/s", Scale.RATIO, Better.MORE, 0, true);
  private static final Metric ERRORS =
      new Metric("errors", "%", Scale.DIFFERENCE, Better.LESS, 0.1, true);
  private static final Metric TOLD =
      new Metric("app1 p99", "ms", Scale.RATIO, Better.LESS, 0, false);

  private static List<Map<Metric, Double>> results(Metric metric, double... values) {
    List<Map<Metric, Double>> results = new ArrayList<>();
    for (double value : values) {
      results.add(Map.of(metric, value));
    }
    return results;
  }

  private static Verdict verdict(Metric metric, double[] before, double[] after) {
    return ResultComparison.of(results(metric, before), results(metric, after), MARGIN).verdict();
  }

  private static double[] times(double... values) {
    return values;
  }

  /** Welch's interval of the data of R's help page of t.test, extra by group in sleep. */
  @Test
  void theIntervalIsThatOfWelch() {
    Metric extra = new Metric("extra", "h", Scale.DIFFERENCE, Better.MORE, 0.1, true);
    double[] first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    double[] second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

    ComparedMetric row =
        ResultComparison.of(results(extra, first), results(extra, second), MARGIN)
            .metrics()
            .getFirst();

    assertThat(row.change()).isCloseTo(1.58, within(1e-9));
    // t is 1.8608 with 17.776 degrees of freedom, whose quantile at 0.995 is 2.8826.
    double halfWidth = 1.58 / 1.8608 * 2.8826;
    assertThat(row.low()).isCloseTo(1.58 - halfWidth, within(2e-3));
    assertThat(row.high()).isCloseTo(1.58 + halfWidth, within(2e-3));
    assertThat(row.verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aChangeBeyondTheMarginIsToldInItsDirection() {
    double[] slow = {100, 102, 99, 101, 100};
    double[] fast = {80, 81, 79, 80, 82};

    assertThat(verdict(TIME, slow, fast)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(TIME, fast, slow)).isEqualTo(Verdict.WORSE);
    assertThat(verdict(RATE, slow, fast)).isEqualTo(Verdict.WORSE);
    assertThat(verdict(RATE, fast, slow)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(TIME, slow, times(101, 100, 99, 102, 100))).isEqualTo(Verdict.SAME);
  }

  @Test
  void oneResultOfASideCannotTell() {
    ComparedMetric row =
        ResultComparison.of(results(TIME, 100), results(TIME, 900, 901), MARGIN)
            .metrics()
            .getFirst();

    assertThat(row.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(row.low()).isNull();
    assertThat(row.change()).isCloseTo(9.005, within(0.001));
  }

  @Test
  void countsThatAreAlwaysZeroAreTheSameAndErrorsThatAppearAreWorse() {
    assertThat(verdict(ERRORS, times(0, 0), times(0, 0))).isEqualTo(Verdict.SAME);
    assertThat(verdict(ERRORS, times(0, 0, 0), times(1.0, 1.1, 0.9))).isEqualTo(Verdict.WORSE);
  }

  @Test
  void whatDoesNotDecideIsToldAndPassedOver() {
    List<Map<Metric, Double>> before = new ArrayList<>();
    List<Map<Metric, Double>> after = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      before.add(Map.of(TIME, 100.0, TOLD, 10.0 + run));
      after.add(Map.of(TIME, 100.0, TOLD, 90.0 + run));
    }
    ResultComparison comparison = ResultComparison.of(before, after, MARGIN);

    assertThat(comparison.verdict()).isEqualTo(Verdict.SAME);
    assertThat(comparison.metrics().getFirst().metric()).isEqualTo(TIME);
    assertThat(comparison.metrics().getLast().verdict()).isEqualTo(Verdict.WORSE);
    assertThat(ResultComparison.of(List.of(Map.of()), List.of(Map.of(TIME, 1.0)), MARGIN).verdict())
        .isEqualTo(Verdict.UNKNOWN);
  }

  /** As where nobody was answered in one of the results: no time, and all others much slower. */
  @Test
  void aFigureThatAResultAfterLacksIsWorseAndOneThatWasLackingBeforeCannotTell() {
    List<Map<Metric, Double>> whole = results(TIME, 100, 101, 99, 100, 102);
    List<Map<Metric, Double>> holed = new ArrayList<>(results(TIME, 100, 101, 99, 100));
    holed.add(Map.of());

    ResultComparison lost = ResultComparison.of(whole, holed, MARGIN);
    assertThat(lost.verdict()).isEqualTo(Verdict.WORSE);
    assertThat(lost.missing()).containsExactly(new MissingFigure(TIME, 0, 1));
    assertThat(ResultComparison.of(holed, whole, MARGIN).verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(ResultComparison.of(holed, holed, MARGIN).verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  /** A figure of a server, which is told beside those of the users. */
  @Test
  void aFigureThatDoesNotDecideMayBeLacking() {
    List<Map<Metric, Double>> before = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      before.add(Map.of(TIME, 100.0, TOLD, 10.0));
    }

    ResultComparison comparison = ResultComparison.of(before, results(TIME, 100, 100, 100), MARGIN);

    assertThat(comparison.verdict()).isEqualTo(Verdict.SAME);
    assertThat(comparison.missing()).isEmpty();
  }

  @Test
  void equalVersionsGiveAtMostOneFalseAlarmInAHundredAndLargeChangesAreFound() {
    RandomGenerator random = Seeds.generator(Seeds.next("equalVersions"));
    for (Case each : List.of(new Case(3, 0.3), new Case(5, 0.1), new Case(10, 0.3))) {
      double worsening = 1 + MARGIN + 8 * each.deviation;
      int alarms = 0;
      int found = 0;
      for (int comparison = 0; comparison < COMPARISONS; comparison++) {
        double[] before = drawn(random, each, 1);
        alarms += verdict(TIME, before, drawn(random, each, 1)) == Verdict.WORSE ? 1 : 0;
        found += verdict(TIME, before, drawn(random, each, worsening)) == Verdict.WORSE ? 1 : 0;
      }
      assertThat(alarms).as("%s", each).isLessThan(COMPARISONS / 100);
      assertThat(found).as("%s", each).isGreaterThan(each.runs < 5 ? 0 : COMPARISONS * 9 / 10);
    }
  }

  /** So many results a side, and the standard deviation of their logarithms. */
  private record Case(int runs, double deviation) {}

  private static double[] drawn(RandomGenerator random, Case each, double factor) {
    return random
        .doubles(each.runs)
        .map(ignored -> factor * Math.exp(each.deviation * random.nextGaussian()))
        .toArray();
  }
}
