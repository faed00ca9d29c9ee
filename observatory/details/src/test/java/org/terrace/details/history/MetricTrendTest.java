package org.terrace.details.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;
import org.terrace.testing.Seeds;

class MetricTrendTest {
  private static final double MARGIN = 0.05;
  private static final Metric TIME =
      new Metric("users p99", "ms", Scale.RATIO, Better.LESS, 0, true);
  private static final Metric RATE =
      new Metric("app1 throughput", "/s", Scale.RATIO, Better.MORE, 0, true);
  private static final Metric ERRORS =
      new Metric("users errors", "%", Scale.DIFFERENCE, Better.LESS, 0.1, true);
  private static final Metric TOLD =
      new Metric("app1 p99", "ms", Scale.RATIO, Better.LESS, 0, false);

  private static MetricHistory history(Metric metric, double[] values) {
    List<MetricHistory.Point> points = new ArrayList<>();
    for (double value : values) {
      points.add(new MetricHistory.Point("run-" + points.size(), value));
    }
    return new MetricHistory(metric, true, points);
  }

  /** Values with a noise of half a per cent that are multiplied from the sixtieth on. */
  private static double[] values(double factor) {
    RandomGenerator random = Seeds.generator(Seeds.next("trend"));
    double[] values = new double[100];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i < 60 ? 1 : factor) * 100 * Math.exp(0.005 * random.nextGaussian());
    }
    // So that the last value before cannot pass for one of the new level.
    values[59] = factor > 1 ? 99.5 : 100.5;
    return values;
  }

  private static MetricTrend trend(Metric metric, double factor) {
    return MetricTrend.of(history(metric, values(factor)), MARGIN);
  }

  private static HistoryChange onlyChange(MetricTrend trend) {
    assertThat(trend.changes()).hasSize(1);
    return trend.changes().getFirst();
  }

  @Test
  void aChangeHasItsPlaceSizeAndPointsOnEachSide() {
    HistoryChange change = onlyChange(trend(TIME, 1.2));

    assertThat(change.at()).isEqualTo("run-60");
    assertThat(change.position()).isEqualTo(60);
    assertThat(change.ratio()).isTrue();
    assertThat(change.size()).isCloseTo(1.2, within(0.02));
    assertThat(change.low()).isLessThan(1.2).isGreaterThan(1.15);
    assertThat(change.high()).isGreaterThan(1.2).isLessThan(1.25);
    assertThat(change.pointsBefore()).isEqualTo(60);
    assertThat(change.pointsAfter()).isEqualTo(change.delay()).isBetween(5, 20);
    assertThat(change.toldAt()).isEqualTo("run-" + (59 + change.delay()));
    assertThat(change.before()).isCloseTo(100, within(1.0));
    assertThat(change.after()).isCloseTo(120, within(1.0));
  }

  @Test
  void theDirectionOfTheFigureDecides() {
    assertThat(onlyChange(trend(TIME, 1.2)).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(onlyChange(trend(TIME, 0.8)).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(onlyChange(trend(RATE, 1.2)).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(onlyChange(trend(RATE, 0.8)).verdict()).isEqualTo(Verdict.WORSE);
    MetricTrend undirected =
        MetricTrend.of(new MetricHistory(TIME, false, history(TIME, values(1.2)).points()), MARGIN);
    assertThat(onlyChange(undirected).verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void smallStepsAddUpToOneThatMatters() {
    RandomGenerator random = Seeds.generator(Seeds.next("creep"));
    double[] values = new double[300];
    for (int i = 0; i < values.length; i++) {
      int step = i / 60;
      values[i] = 100 * Math.pow(1.02, step) * Math.exp(0.003 * random.nextGaussian());
    }

    MetricTrend trend = MetricTrend.of(history(TIME, values), MARGIN);

    assertThat(trend.changes()).extracting(HistoryChange::verdict).contains(Verdict.WORSE);
    HistoryChange worse =
        trend.changes().stream()
            .filter(change -> change.verdict() == Verdict.WORSE)
            .findFirst()
            .orElseThrow();
    assertThat(worse.since()).isEqualTo("run-0");
    assertThat(worse.size()).as("the step itself").isLessThan(1.04);
  }

  @Test
  void aShareAndASeriesWithAZeroHaveTheMarginToo() {
    Metric share = new Metric("cpu", "%", Scale.DIFFERENCE, Better.LESS, 0, true);
    double[] small = values(1.02);
    assertThat(onlyChange(MetricTrend.of(history(share, small), MARGIN)).verdict())
        .isEqualTo(Verdict.SAME);
    small[3] = 0;
    assertThat(onlyChange(MetricTrend.of(history(TIME, small), MARGIN)).verdict())
        .isEqualTo(Verdict.SAME);
    assertThat(onlyChange(MetricTrend.of(history(share, values(1.2)), MARGIN)).verdict())
        .isEqualTo(Verdict.WORSE);
  }

  /** From one request in 2,000 that finds nobody to one in 22: 5 % of the level is far more. */
  @Test
  void theMarginOfAShareThatShouldBeHighIsOneOfWhatIsLackingToo() {
    assertThat(ofShare(99.95, 95.5)).isEqualTo(Verdict.WORSE);
    assertThat(ofShare(95.5, 99.95)).isEqualTo(Verdict.BETTER);
    assertThat(ofShare(60, 59.9)).isEqualTo(Verdict.SAME);
    assertThat(ofShare(60, 55)).isEqualTo(Verdict.WORSE);
    assertThat(ofShare(5, 3))
        .as("a share of the level where that is less")
        .isEqualTo(Verdict.WORSE);
    assertThat(ofShare(250, 245)).as("no share of a whole").isEqualTo(Verdict.SAME);
  }

  private static Verdict ofShare(double before, double after) {
    Metric share = new Metric("availability", "%", Scale.DIFFERENCE, Better.MORE, 0, true);
    double[] first = new double[60];
    double[] second = new double[60];
    for (int i = 0; i < first.length; i++) {
      double noise = 0.0001 * (i % 7 - 3);
      first[i] = before + noise;
      second[i] = after + noise;
    }
    return changed(share, first, second).verdict();
  }

  @Test
  void aChangeWithinTheMarginIsToldAndIsTheSame() {
    assertThat(onlyChange(trend(TIME, 1.02)).verdict()).isEqualTo(Verdict.SAME);
    assertThat(onlyChange(trend(TIME, 1.048)).verdict())
        .as("near the margin: its interval reaches beyond, or it is itself beyond")
        .isIn(Verdict.UNKNOWN, Verdict.WORSE);
  }

  @Test
  void aDifferenceIsJudgedByItsTolerance() {
    double[] errors = new double[80];
    RandomGenerator random = Seeds.generator(Seeds.next("errors"));
    for (int i = 0; i < errors.length; i++) {
      errors[i] = i < 40 ? 0 : 2 + 0.1 * random.nextDouble();
    }

    HistoryChange change = onlyChange(MetricTrend.of(history(ERRORS, errors), MARGIN));

    assertThat(change.ratio()).isFalse();
    assertThat(change.size()).isCloseTo(2.05, within(0.05));
    assertThat(change.verdict()).isEqualTo(Verdict.WORSE);
  }

  /**
   * Most pairs of a value before and one after are alike: their median says nothing of the rest.
   */
  @Test
  void errorsNowAndThenAreWorseAndNoneAnyMoreIsBetter() {
    RandomGenerator random = Seeds.generator(Seeds.next("errors now and then"));
    double[] before = new double[60];
    double[] after = new double[60];
    for (int i = 0; i < after.length; i++) {
      after[i] = i % 5 == 0 || i % 5 == 3 ? 20 + 40 * random.nextDouble() : 0;
    }

    HistoryChange worse = changed(ERRORS, before, after);
    HistoryChange better = changed(ERRORS, after, before);

    assertThat(worse.verdict()).isEqualTo(Verdict.WORSE);
    assertThat(worse.nowAndThen()).isTrue();
    assertThat(worse.size()).as("the median of all pairs").isZero();
    assertThat(better.verdict()).isEqualTo(Verdict.BETTER);
  }

  /** A throughput that breaks down now and then does so at the lower end. */
  @Test
  void theEndsOfALevelAreJudgedByTheirDirectionAndTheMargin() {
    double[] before = new double[60];
    double[] broken = new double[60];
    double[] wider = new double[60];
    for (int i = 0; i < before.length; i++) {
      before[i] = 100 + 0.1 * (i % 7);
      broken[i] = i % 4 == 0 ? 10 : before[i];
      wider[i] = before[i] + (i % 4 == 0 ? -3 : 1);
    }

    assertThat(changed(RATE, before, broken).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(changed(RATE, broken, before).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(changed(RATE, before, wider).verdict()).isEqualTo(Verdict.SAME);
  }

  private static HistoryChange changed(Metric metric, double[] before, double[] after) {
    double[] values = DoubleStream.concat(Arrays.stream(before), Arrays.stream(after)).toArray();
    return HistoryChange.of(
        history(metric, values),
        new ChangePoints.Place(0, before.length, values.length - 1, ChangePoints.LEVEL, 0.2),
        new HistoryChange.Level(0, before.length),
        MARGIN);
  }

  @Test
  void pointsThatComeLaterChangeNothingOfAChange() {
    double[] values = values(1.2);
    HistoryChange first = onlyChange(MetricTrend.of(history(TIME, values), MARGIN));
    double[] back = SyntheticHistory.changed(values, 80, 1 / 1.3);
    double[] zero = values.clone();
    zero[99] = 0;

    assertThat(MetricTrend.of(history(TIME, back), MARGIN).changes()).first().isEqualTo(first);
    assertThat(MetricTrend.of(history(TIME, zero), MARGIN).changes())
        .as("a value that has no ratio")
        .first()
        .isEqualTo(first);
  }

  @Test
  void worseUntilItIsAcknowledgedAndNoLonger() {
    List<MetricTrend> trends = List.of(trend(TIME, 1.2), trend(RATE, 1), trend(TOLD, 2));

    assertThat(HistoryVerdict.of(trends, (metric, at) -> false)).isEqualTo(Verdict.WORSE);
    assertThat(HistoryVerdict.of(trends, (metric, at) -> metric.equals("app1 p99")))
        .isEqualTo(Verdict.WORSE);
    assertThat(
            HistoryVerdict.of(
                trends, (metric, at) -> metric.equals("users p99") && at.equals("run-60")))
        .as("what is told alone needs nobody to acknowledge it")
        .isEqualTo(Verdict.SAME);
    assertThat(HistoryVerdict.of(List.of(trend(RATE, 1.2)), (metric, at) -> false))
        .isEqualTo(Verdict.BETTER);
    assertThat(HistoryVerdict.of(List.of(trend(TOLD, 2)), (metric, at) -> false))
        .isEqualTo(Verdict.UNKNOWN);
  }

  /** Fewer points than a further change would show itself in say nothing about one. */
  @Test
  void fewPointsSinceAnAcknowledgedChangeCannotTell() {
    double[] values = values(1.2);
    MetricTrend few = MetricTrend.of(history(TIME, Arrays.copyOf(values, 79)), MARGIN);
    MetricTrend enough = MetricTrend.of(history(TIME, Arrays.copyOf(values, 80)), MARGIN);

    assertThat(onlyChange(few).at()).isEqualTo("run-60");
    assertThat(HistoryVerdict.of(List.of(few), (metric, at) -> true)).isEqualTo(Verdict.UNKNOWN);
    assertThat(HistoryVerdict.of(List.of(enough), (metric, at) -> true)).isEqualTo(Verdict.SAME);
  }

  @Test
  void fewPointsAndSignsOfAChangeCannotTell() {
    double[] few = new double[ChangePoints.FEWEST_VALUES - 1];
    MetricTrend tooFew = MetricTrend.of(history(TIME, few), MARGIN);
    double[] begun = values(1.2);
    MetricTrend signs = MetricTrend.of(history(TIME, Arrays.copyOf(begun, 66)), MARGIN);

    assertThat(tooFew.judged()).isFalse();
    assertThat(HistoryVerdict.of(List.of(tooFew), (metric, at) -> true)).isEqualTo(Verdict.UNKNOWN);
    assertThat(signs.changes()).isEmpty();
    assertThat(signs.suspected()).isNotNull();
    assertThat(HistoryVerdict.of(List.of(signs), (metric, at) -> true)).isEqualTo(Verdict.UNKNOWN);
  }

  /** Up to four points are too few for a side of a split, and may be ten times as bad. */
  @Test
  void newestPointsThatLieFarOutsideCannotTell() {
    for (Metric metric : List.of(TIME, RATE, ERRORS)) {
      for (double factor : new double[] {10, 0.1}) {
        for (int newest = 1; newest <= NewestValues.MOST; newest++) {
          MetricTrend trend =
              MetricTrend.of(history(metric, Arrays.copyOf(values(factor), 60 + newest)), MARGIN);

          assertThat(trend.changes()).isEmpty();
          assertThat(trend.suspected()).as("%s x %s", metric.name(), factor).isNotNull();
          assertThat(trend.suspected().at()).isEqualTo("run-60");
          assertThat(trend.suspected().pointsAfter()).isEqualTo(newest);
          assertThat(HistoryVerdict.of(List.of(trend), (name, at) -> false))
              .isEqualTo(Verdict.UNKNOWN);
        }
      }
    }
  }

  @Test
  void newestPointsThatAreNewExtremesWithinTheMarginAreTheSame() {
    double[] values = Arrays.copyOf(values(1.04), 64);

    MetricTrend trend = MetricTrend.of(history(TIME, values), MARGIN);

    assertThat(NewestValues.of(values).count()).isPositive();
    assertThat(HistoryVerdict.of(List.of(trend), (name, at) -> false)).isEqualTo(Verdict.SAME);
  }
}
