package org.terrace.studies.design;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.terrace.analysis.tail.BlockBootstrap;

/**
 * A correlation of two series with its interval by Fisher's z (Fisher 1921; for ranks with the
 * variance of Bonett and Wright 2000). Values that follow one another in time are not independent:
 * the interval is that of as many independent pairs as the autocorrelation of both series leaves
 * (Bartlett 1935).
 *
 * @param coefficient from -1 to 1; 0 where one of the series does not vary
 * @param low the lower end of its interval
 * @param high the upper end
 * @param pairs the number of pairs
 * @param independentPairs the number of independent pairs they are worth
 */
public record Correlation(
    double coefficient, double low, double high, int pairs, double independentPairs) {
  private static final double RANK_VARIANCE = 0.5;
  private static final double ALMOST_ONE = 1 - 1e-12;

  /** The product-moment correlation of pairs that are independent: one pair a configuration. */
  public static Correlation pearson(double[] x, double[] y, double confidence) {
    return of(coefficient(x, y), x.length, x.length, 1, confidence);
  }

  /** The rank correlation (Spearman 1904) of pairs that are independent. */
  public static Correlation spearman(double[] x, double[] y, double confidence) {
    double coefficient = coefficient(ranks(x), ranks(y));
    return of(coefficient, x.length, x.length, rankVariance(coefficient), confidence);
  }

  /** The product-moment correlation of two series in order of time. */
  public static Correlation pearsonOfSeries(double[] x, double[] y, double confidence) {
    return of(coefficient(x, y), x.length, independent(x, y), 1, confidence);
  }

  /** Whether the interval leaves out zero. */
  public boolean isSignificant() {
    return low > 0 || high < 0;
  }

  private static double rankVariance(double coefficient) {
    return 1 + RANK_VARIANCE * coefficient * coefficient;
  }

  private static Correlation of(
      double coefficient, int pairs, double independent, double variance, double confidence) {
    if (independent <= 3) {
      return new Correlation(coefficient, -1, 1, pairs, independent);
    }
    double z = atanh(Math.clamp(coefficient, -ALMOST_ONE, ALMOST_ONE));
    double reach =
        NormalDistribution.of(0, 1).inverseCumulativeProbability((1 + confidence) / 2)
            * Math.sqrt(variance / (independent - 3));
    return new Correlation(
        coefficient, Math.tanh(z - reach), Math.tanh(z + reach), pairs, independent);
  }

  private static double atanh(double value) {
    return Math.log((1 + value) / (1 - value)) / 2;
  }

  private static double coefficient(double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException("series of " + x.length + " and " + y.length + " values");
    }
    double meanX = Arrays.stream(x).average().orElse(0);
    double meanY = Arrays.stream(y).average().orElse(0);
    double both = 0;
    double squaresX = 0;
    double squaresY = 0;
    for (int i = 0; i < x.length; i++) {
      both += (x[i] - meanX) * (y[i] - meanY);
      squaresX += (x[i] - meanX) * (x[i] - meanX);
      squaresY += (y[i] - meanY) * (y[i] - meanY);
    }
    return squaresX > 0 && squaresY > 0 ? both / Math.sqrt(squaresX * squaresY) : 0;
  }

  /** Ranks from 1; equal values share the mean of theirs. */
  static double[] ranks(double[] values) {
    Integer[] order = new Integer[values.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
    double[] ranks = new double[values.length];
    for (int from = 0; from < order.length; ) {
      int to = from;
      while (to < order.length && values[order[to]] == values[order[from]]) {
        to++;
      }
      for (int i = from; i < to; i++) {
        ranks[order[i]] = (from + 1 + to) / 2.0;
      }
      from = to;
    }
    return ranks;
  }

  /** n / (1 + 2 sum of products of autocorrelations), up to the length of a block. */
  private static double independent(double[] x, double[] y) {
    int count = x.length;
    int lags = Math.min(count - 1, 2 * Math.max(blocks(x), blocks(y)));
    double sum = 0;
    for (int lag = 1; lag <= lags; lag++) {
      sum += (1 - (double) lag / count) * autocorrelation(x, lag) * autocorrelation(y, lag);
    }
    return count / Math.max(1, 1 + 2 * sum);
  }

  private static int blocks(double[] series) {
    return BlockBootstrap.blockLength(series);
  }

  private static double autocorrelation(double[] series, int lag) {
    double mean = Arrays.stream(series).average().orElse(0);
    double both = 0;
    double squares = 0;
    for (int i = 0; i < series.length; i++) {
      double here = series[i] - mean;
      squares += here * here;
      both += i >= lag ? here * (series[i - lag] - mean) : 0;
    }
    return squares > 0 ? both / squares : 0;
  }
}
