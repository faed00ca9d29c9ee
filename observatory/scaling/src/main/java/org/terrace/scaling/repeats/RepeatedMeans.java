package org.terrace.scaling.repeats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.repeats.OperatingPoint.Place;

/**
 * Means of cells that were each measured a few times, with Student's intervals. Immutable.
 *
 * <p>Two or three repeats tell next to nothing of a cell's own variance, so cells tell it of one
 * another, in units of their scales, by as much as their operating points are alike: the degrees of
 * freedom of another count by {@code exp(-d² / 2)}, where {@code d²} is the sum of the squared
 * differences of the logarithms of loads, over 0.5, and of the logarithms of the odds of what is
 * answered, over 0.4. Loads of idle servers, whose repeats hardly differ, so tell nothing of the
 * knee, where they differ most, be it of the same load or another. Nor do others make less of what
 * a cell's own repeats show: the variance is not below its own. Of a hundred intervals of 95 % some
 * 94 to 97 hold, at the knee as beside it. A cell that was measured once has an interval where
 * those alike have a degree of freedom for it.
 */
public final class RepeatedMeans {
  /** The fewest degrees of freedom from which a variance is known at all. */
  private static final double LEAST_DEGREES = 1;

  private final List<Cell> cells;

  private RepeatedMeans(List<Cell> cells) {
    this.cells = cells;
  }

  /** A cell: its mean, the variance of the mean, and the degrees of freedom of that variance. */
  private record Cell(double mean, double varianceOfMean, double degrees) {}

  /** A variance in units of a cell's scale, and its degrees of freedom. */
  private record Spread(double variance, double degrees) {}

  /**
   * The means of cells.
   *
   * @param values the values of each cell, at least one
   * @param scales the size of each cell, above 0, with which its deviation is expected to grow
   * @param points the operating point of each cell
   */
  public static RepeatedMeans of(
      List<double[]> values, List<Double> scales, List<OperatingPoint> points) {
    List<Spread> spreads = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      spreads.add(spread(values.get(i), scales.get(i)));
    }
    List<Place> places = points.stream().map(OperatingPoint::place).toList();
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      double scale = scales.get(i);
      Spread pooled = pooled(i, spreads, places);
      cells.add(
          new Cell(
              mean(values.get(i)),
              pooled.variance() * scale * scale / values.get(i).length,
              pooled.degrees()));
    }
    return new RepeatedMeans(List.copyOf(cells));
  }

  private static Spread pooled(int cell, List<Spread> spreads, List<Place> places) {
    double squares = 0;
    double degrees = 0;
    for (int i = 0; i < spreads.size(); i++) {
      Spread each = spreads.get(i);
      if (each.degrees() > 0) {
        double counted = each.degrees() * places.get(cell).alike(places.get(i));
        squares += counted * each.variance();
        degrees += counted;
      }
    }
    return degrees < LEAST_DEGREES
        ? new Spread(Double.NaN, 0)
        : new Spread(Math.max(squares / degrees, spreads.get(cell).variance()), degrees);
  }

  /** The mean of a cell. */
  public double mean(int cell) {
    return cells.get(cell).mean();
  }

  /** The mean of a cell with its interval; null where its variance is not known. */
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
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (Map.Entry<Integer, Double> each : weights.entrySet()) {
      Cell cell = cells.get(each.getKey());
      double part = each.getValue() * each.getValue() * cell.varianceOfMean();
      estimate += each.getValue() * cell.mean();
      variance += part;
      squares += part * part / cell.degrees();
      least = Math.min(least, cell.degrees());
      most = Math.max(most, cell.degrees());
    }
    // Satterthwaite's degrees of freedom, of which Welch's are those of a difference. Cells may owe
    // their variances to the same repeats, so that they have no more of them than one of them has.
    double degrees =
        variance > 0 && least > 0 ? Math.clamp(variance * variance / squares, least, most) : least;
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
}
