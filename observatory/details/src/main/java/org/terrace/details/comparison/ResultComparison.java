package org.terrace.details.comparison;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;

/**
 * Two sets of results compared, figure by figure. A figure is worse when the whole interval of its
 * change lies beyond a margin that does not matter to the user, and no worse when the whole
 * interval lies on this side of it; otherwise the results cannot tell.
 *
 * <p>The interval is Welch's for two means of unequal variance, of logarithms where ratios count
 * (Welch, The Generalization of Student's Problem when Several Different Population Variances are
 * Involved, 1947), at {@value #CONFIDENCE}. Equal versions therefore give a false alarm in fewer
 * than one of a hundred comparisons. Immutable. Linear in the results.
 *
 * @param metrics the figures that all results have, those that decide first
 * @param missing the figures that decide and that some results lack
 */
public record ResultComparison(List<ComparedMetric> metrics, List<MissingFigure> missing) {
  /** The probability that an interval holds the true change. */
  public static final double CONFIDENCE = 0.99;

  /** Copies the lists. */
  public ResultComparison {
    metrics = List.copyOf(metrics);
    missing = List.copyOf(missing);
  }

  /**
   * Compares two sets of results.
   *
   * @param before the figures of each result before, at least one
   * @param after the figures of each result after, at least one
   * @param margin the ratio's change that does not matter, as a share: 0.05 for five per cent,
   *     above 0
   */
  public static ResultComparison of(
      List<Map<Metric, Double>> before, List<Map<Metric, Double>> after, double margin) {
    if (before.isEmpty() || after.isEmpty() || !(margin > 0)) {
      throw new IllegalArgumentException("expected results on both sides and a margin above 0");
    }
    Set<Metric> all = new LinkedHashSet<>();
    before.forEach(result -> all.addAll(result.keySet()));
    after.forEach(result -> all.addAll(result.keySet()));
    List<ComparedMetric> rows = new ArrayList<>();
    List<MissingFigure> missing = new ArrayList<>();
    for (Metric metric : all) {
      MissingFigure lacking =
          new MissingFigure(metric, lacking(metric, before), lacking(metric, after));
      if (lacking.lackingBefore() + lacking.lackingAfter() == 0) {
        double[] first = before.stream().mapToDouble(result -> result.get(metric)).toArray();
        double[] second = after.stream().mapToDouble(result -> result.get(metric)).toArray();
        rows.add(compare(metric, first, second, margin));
      } else if (metric.decides()) {
        missing.add(lacking);
      }
    }
    rows.sort((one, other) -> Boolean.compare(other.metric().decides(), one.metric().decides()));
    return new ResultComparison(rows, missing);
  }

  private static int lacking(Metric metric, List<Map<Metric, Double>> results) {
    return (int) results.stream().filter(result -> !result.containsKey(metric)).count();
  }

  /** The verdict on all figures that decide: worse if one is, the same if none is worse. */
  public Verdict verdict() {
    List<Verdict> deciding =
        Stream.concat(
                metrics.stream().filter(row -> row.metric().decides()).map(ComparedMetric::verdict),
                missing.stream().map(MissingFigure::verdict))
            .toList();
    if (deciding.contains(Verdict.WORSE)) {
      return Verdict.WORSE;
    }
    if (deciding.isEmpty() || deciding.contains(Verdict.UNKNOWN)) {
      return Verdict.UNKNOWN;
    }
    return deciding.contains(Verdict.BETTER) ? Verdict.BETTER : Verdict.SAME;
  }

  private static ComparedMetric compare(
      Metric metric, double[] before, double[] after, double margin) {
    boolean ratio = metric.scale() == Scale.RATIO;
    double[] first = ratio ? logarithms(before) : before;
    double[] second = ratio ? logarithms(after) : after;
    double difference = mean(second) - mean(first);
    double halfWidth = halfWidth(first, second);
    boolean known = Double.isFinite(halfWidth);
    double limit = ratio ? Math.log1p(margin) : metric.tolerance();
    return new ComparedMetric(
        metric,
        back(mean(first), ratio),
        back(mean(second), ratio),
        before.length,
        after.length,
        back(difference, ratio),
        known ? Double.valueOf(back(difference - halfWidth, ratio)) : null,
        known ? Double.valueOf(back(difference + halfWidth, ratio)) : null,
        verdict(metric, difference, halfWidth, limit));
  }

  private static Verdict verdict(Metric metric, double difference, double halfWidth, double limit) {
    if (!Double.isFinite(halfWidth)) {
      return Verdict.UNKNOWN;
    }
    double worsening = metric.better() == Better.LESS ? difference : -difference;
    if (worsening - halfWidth > limit) {
      return Verdict.WORSE;
    }
    if (worsening + halfWidth < -limit) {
      return Verdict.BETTER;
    }
    return worsening + halfWidth <= limit ? Verdict.SAME : Verdict.UNKNOWN;
  }

  /** Half of Welch's interval; not a number where a side has one value only. */
  private static double halfWidth(double[] first, double[] second) {
    if (first.length < 2 || second.length < 2) {
      return Double.NaN;
    }
    double ofFirst = variance(first) / first.length;
    double ofSecond = variance(second) / second.length;
    double sum = ofFirst + ofSecond;
    if (sum == 0) {
      return 0; // no result differs from another, as with a count of errors that is always zero
    }
    double degreesOfFreedom =
        sum
            * sum
            / (ofFirst * ofFirst / (first.length - 1) + ofSecond * ofSecond / (second.length - 1));
    double quantile =
        TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - CONFIDENCE) / 2);
    return quantile * Math.sqrt(sum);
  }

  private static double back(double value, boolean ratio) {
    return ratio ? Math.exp(value) : value;
  }

  private static double[] logarithms(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    double sum = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    return sum / (values.length - 1);
  }
}
