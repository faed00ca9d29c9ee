package org.terrace.analysis.tail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Percentiles;

/**
 * A generalised Pareto distribution fitted to what exceeds a threshold. Its shape says what kind of
 * tail it is: below zero it ends, at zero it is exponential, above zero it falls as a power; from
 * one half on the variance is infinite and sigma and z-scores mean nothing.
 *
 * <p>The estimator is that of Zhang and Stephens (A new and efficient estimation method for the
 * generalized Pareto distribution, Technometrics 51, 2009): the mean of the profile likelihood over
 * a grid, which always exists. The interval is that of maximum likelihood for large samples (Smith
 * 1987), with standard error (1 + shape) / sqrt(exceedances); it assumes independent values.
 *
 * @param thresholdPercentile the percentile that is the threshold
 * @param thresholdNanos the threshold
 * @param exceedances the number of values above it
 * @param shape the shape
 * @param shapeLow the lower end of its interval
 * @param shapeHigh the upper end of its interval
 * @param scaleNanos the scale
 */
public record ParetoTail(
    double thresholdPercentile,
    long thresholdNanos,
    int exceedances,
    double shape,
    double shapeLow,
    double shapeHigh,
    double scaleNanos) {

  /** The shape from which on the variance is infinite. */
  public static final double INFINITE_VARIANCE = 0.5;

  /** The thresholds of the stability table, as percentiles. */
  public static final List<Double> THRESHOLDS = List.of(90.0, 95.0, 97.5, 98.0, 99.0, 99.5);

  /** Fewer exceedances than this are not fitted. */
  public static final int LEAST_EXCEEDANCES = 30;

  private static final int COARSE = 30;
  private static final int FINEST = 120;
  private static final double PRIOR = 3;

  /** The verdict of the shape on sigma and z-scores. */
  public String verdict() {
    if (shapeLow >= INFINITE_VARIANCE) {
      return "shape >= 0.5: the variance is infinite, so sigma and z-scores are meaningless";
    } else if (shapeHigh >= INFINITE_VARIANCE) {
      return "the interval of the shape reaches 0.5: an infinite variance, which would make sigma"
          + " and z-scores meaningless, cannot be ruled out";
    }
    return "shape < 0.5: the variance is finite";
  }

  /** The fits at every threshold with enough exceedances, the lowest threshold first. */
  public static List<ParetoTail> table(long[] sorted, double confidence) {
    List<ParetoTail> table = new ArrayList<>();
    for (double percentile : THRESHOLDS) {
      ParetoTail fit = fit(sorted, percentile, confidence);
      if (fit != null) {
        table.add(fit);
      }
    }
    return table;
  }

  /**
   * The fit to go by: that at the lowest threshold whose shape lies in the intervals of all higher
   * ones; the highest threshold where none is so; null for an empty table.
   */
  public static @Nullable ParetoTail chosen(List<ParetoTail> table) {
    for (int i = 0; i < table.size(); i++) {
      double shape = table.get(i).shape;
      if (table.subList(i, table.size()).stream()
          .allMatch(fit -> fit.shapeLow <= shape && shape <= fit.shapeHigh)) {
        return table.get(i);
      }
    }
    return null;
  }

  /** The fit above a percentile; null where fewer than {@link #LEAST_EXCEEDANCES} exceed it. */
  public static @Nullable ParetoTail fit(
      long[] sorted, double thresholdPercentile, double confidence) {
    if (sorted.length < LEAST_EXCEEDANCES) {
      return null;
    }
    long threshold = Percentiles.ofSorted(sorted, thresholdPercentile);
    double[] excess =
        Arrays.stream(sorted)
            .filter(value -> value > threshold)
            .mapToDouble(v -> v - threshold)
            .toArray();
    if (excess.length < LEAST_EXCEEDANCES) {
      return null;
    }
    double rate = rate(excess);
    double shape = shape(excess, rate);
    double error = (1 + shape) / Math.sqrt(excess.length);
    double reach =
        NormalDistribution.of(0, 1).inverseCumulativeProbability((1 + confidence) / 2) * error;
    double scale =
        Math.abs(rate) > 1e-300 ? -shape / rate : Arrays.stream(excess).average().orElse(0);
    return new ParetoTail(
        thresholdPercentile, threshold, excess.length, shape, shape - reach, shape + reach, scale);
  }

  /** The posterior mean of -shape/scale. */
  private static double rate(double[] excess) {
    int count = excess.length;
    int grid = Math.min(FINEST, COARSE + (int) Math.sqrt(count));
    double largest = excess[count - 1];
    double quarter = excess[(int) Math.floor(count / 4.0 + 0.5) - 1];
    double[] rates = new double[grid];
    double[] likelihood = new double[grid];
    for (int i = 0; i < grid; i++) {
      rates[i] = 1 / largest + (1 - Math.sqrt(grid / (i + 0.5))) / (PRIOR * quarter);
      double shape = shape(excess, rates[i]);
      likelihood[i] = count * (Math.log(-rates[i] / shape) - shape - 1);
    }
    double best = Arrays.stream(likelihood).filter(v -> !Double.isNaN(v)).max().orElse(0);
    double weights = 0;
    double sum = 0;
    for (int i = 0; i < grid; i++) {
      if (!Double.isNaN(likelihood[i])) {
        double weight = Math.exp(likelihood[i] - best);
        weights += weight;
        sum += weight * rates[i];
      }
    }
    return sum / weights;
  }

  private static double shape(double[] excess, double rate) {
    double sum = 0;
    for (double value : excess) {
      sum += Math.log1p(-rate * value);
    }
    return sum / excess.length;
  }
}
