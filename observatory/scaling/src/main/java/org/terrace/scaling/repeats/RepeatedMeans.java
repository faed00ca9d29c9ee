package org.terrace.scaling.repeats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Means of cells that were each measured a few times, with Student's intervals. Immutable.
 *
 * <p>Two or three repeats tell next to nothing of a cell's own variance, but many cells tell how
 * variances are spread. Each cell's variance, in units of its own scale, is drawn towards a common
 * one, by as much as the cells are alike, and gains degrees of freedom: the empirical Bayes
 * estimate of Smyth, Linear models and empirical Bayes methods for assessing differential
 * expression in microarray experiments, 2004. Cells that differ much in their variances stay by
 * themselves. A cell that was measured once takes the common variance; where no cell was measured
 * twice there is no interval. However alike cells are, no interval has more degrees of freedom than
 * all of them together. Where three to six cells are measured twice, 93 to 94 of a hundred
 * intervals of 95 % hold, as how alike they are is then hardly known.
 */
public final class RepeatedMeans {
  private static final double MOST_DEGREES = 1e6;

  /** A variance that is zero, for lack of digits, counts as this part of the mean variance. */
  private static final double LEAST_PART = 1e-6;

  private final List<Cell> cells;

  /** The degrees of freedom of all cells together. */
  private final double allDegrees;

  private RepeatedMeans(List<Cell> cells, double allDegrees) {
    this.cells = cells;
    this.allDegrees = allDegrees;
  }

  /** A cell: its mean, the variance of the mean, and the degrees of freedom of that variance. */
  private record Cell(double mean, double varianceOfMean, double degrees) {}

  /** The own variance of a cell in units of its scale, and its degrees of freedom. */
  private record Spread(double variance, int degrees) {}

  /** The common variance, and the degrees of freedom by which it counts. */
  private record Common(double variance, double degrees) {}

  /**
   * The means of cells.
   *
   * @param values the values of each cell, at least one
   * @param scales the size of each cell, above 0, with which its deviation is expected to grow
   */
  public static RepeatedMeans of(List<double[]> values, List<Double> scales) {
    List<Spread> spreads = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      spreads.add(spread(values.get(i), scales.get(i)));
    }
    Common common = common(spreads);
    double allDegrees = spreads.stream().mapToInt(Spread::degrees).sum();
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Spread own = spreads.get(i);
      double degrees = common.degrees() + own.degrees();
      double variance =
          own.degrees() == 0 || degrees >= MOST_DEGREES
              ? common.variance()
              : (common.degrees() * common.variance() + own.degrees() * own.variance()) / degrees;
      double scale = scales.get(i);
      cells.add(
          new Cell(
              mean(values.get(i)),
              variance * scale * scale / values.get(i).length,
              Math.min(degrees, allDegrees)));
    }
    return new RepeatedMeans(List.copyOf(cells), allDegrees);
  }

  /** The mean of a cell. */
  public double mean(int cell) {
    return cells.get(cell).mean();
  }

  /** The mean of a cell with its interval; null where no cell was measured twice. */
  public @Nullable Interval interval(int cell, double confidence) {
    Cell of = cells.get(cell);
    return interval(of.mean(), of.varianceOfMean(), of.degrees(), confidence);
  }

  /** The first cell's mean less the second's with its interval; null as for {@link #interval}. */
  public @Nullable Interval difference(int first, int second, double confidence) {
    Map<Integer, Double> weights = new LinkedHashMap<>();
    weights.put(first, 1.0);
    weights.merge(second, -1.0, Double::sum);
    return combination(weights, confidence);
  }

  /**
   * A sum of means, each so many times, with its interval; null as for {@link #interval}.
   *
   * @param weights the weight of each cell that is in the sum
   */
  public @Nullable Interval combination(Map<Integer, Double> weights, double confidence) {
    double estimate = 0;
    double variance = 0;
    double squares = 0;
    double least = allDegrees;
    for (Map.Entry<Integer, Double> each : weights.entrySet()) {
      Cell cell = cells.get(each.getKey());
      double part = each.getValue() * each.getValue() * cell.varianceOfMean();
      estimate += each.getValue() * cell.mean();
      variance += part;
      squares += part * part / cell.degrees();
      least = Math.min(least, cell.degrees());
    }
    // Satterthwaite's degrees of freedom, of which Welch's are those of a difference.
    double degrees =
        variance > 0 && least > 0
            ? Math.clamp(variance * variance / squares, least, allDegrees)
            : least;
    return interval(estimate, variance, degrees, confidence);
  }

  private static @Nullable Interval interval(
      double estimate, double variance, double degrees, double confidence) {
    if (!(degrees > 0) || !Double.isFinite(variance)) {
      return null;
    }
    double reach =
        TDistribution.of(degrees).inverseSurvivalProbability((1 - confidence) / 2)
            * Math.sqrt(variance);
    return new Interval(estimate, estimate - reach, estimate + reach);
  }

  private static Spread spread(double[] values, double scale) {
    if (values.length == 0 || !(scale > 0)) {
      throw new IllegalArgumentException("expected a value and a scale above 0");
    }
    double mean = mean(values);
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    int degrees = values.length - 1;
    return new Spread(degrees == 0 ? 0 : squares / degrees / (scale * scale), degrees);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** Smyth's estimates from the mean and variance of the logarithms of the cells' variances. */
  private static Common common(List<Spread> spreads) {
    List<Spread> known = spreads.stream().filter(spread -> spread.degrees() > 0).toList();
    double weight = known.stream().mapToInt(Spread::degrees).sum();
    double pooled =
        known.stream().mapToDouble(spread -> spread.variance() * spread.degrees()).sum() / weight;
    if (known.size() < 3 || !(pooled > 0)) {
      return new Common(known.isEmpty() ? Double.NaN : pooled, 0);
    }
    double[] logarithms =
        known.stream()
            .mapToDouble(spread ->
                Math.log(Math.max(spread.variance(), LEAST_PART * pooled))
                    - digamma(spread.degrees() / 2.0)
                    + Math.log(spread.degrees() / 2.0))
            .toArray();
    double mean = mean(logarithms);
    double variance =
        Arrays.stream(logarithms).map(value -> (value - mean) * (value - mean)).sum()
            / (logarithms.length - 1);
    double excess =
        variance
            - known.stream()
                .mapToDouble(each -> trigamma(each.degrees() / 2.0))
                .average()
                .orElse(0);
    if (excess <= 0) {
      return new Common(pooled, MOST_DEGREES);
    }
    double half = inverseTrigamma(excess);
    return new Common(Math.exp(mean + digamma(half) - Math.log(half)), 2 * half);
  }

  /** The derivative of the logarithm of the gamma function, by recurrence and its series. */
  static double digamma(double x) {
    double sum = 0;
    double at = x;
    while (at < 10) {
      sum -= 1 / at;
      at++;
    }
    double square = 1 / (at * at);
    return sum
        + Math.log(at)
        - 0.5 / at
        - square * (1.0 / 12 - square * (1.0 / 120 - square / 252));
  }

  /** The derivative of {@link #digamma}. */
  static double trigamma(double x) {
    double sum = 0;
    double at = x;
    while (at < 10) {
      sum += 1 / (at * at);
      at++;
    }
    double square = 1 / (at * at);
    return sum + (1 + 0.5 / at + square * (1.0 / 6 - square * (1.0 / 30 - square / 42))) / at;
  }

  /**
   * The argument at which {@link #trigamma}, which falls, has a value; by bisection of logarithms.
   */
  private static double inverseTrigamma(double value) {
    double low = 1e-4;
    double high = MOST_DEGREES / 2;
    for (int i = 0; i < 100; i++) {
      double middle = Math.sqrt(low * high);
      if (trigamma(middle) > value) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
