package org.terrace.scaling.bottleneck;

import java.util.Arrays;

/**
 * The length of blocks within which series are rearranged. Stateless.
 *
 * <p>The variance of the number of saturated resources is that of independence and the covariance
 * of each pair. Under independence the products of two series remember what both remember: their
 * autocovariance is the product of the series' own. Of what is remembered over k samples, blocks of
 * length b lose the part k / b, so that permutations spread too little, and chance looks like
 * turns. Blocks are so long that they lose a small part of all. The sum ends where the
 * autocovariance first is not positive: the rest is noise, or turns.
 */
final class BlockLength {
  private static final int SHORTEST = 3;
  private static final int LONGEST_USUAL = 10;
  private static final int BLOCKS_PER_SERIES = 18;
  private static final int FEWEST_BLOCKS = 5;

  /** The part of the variance of products that blocks may lose. */
  private static final double LOST = 0.1;

  private BlockLength() {}

  /** The mean length for series of equal length. O(series × length × memory). */
  static int of(boolean[][] saturated) {
    int length = saturated[0].length;
    int usual = Math.clamp(length / BLOCKS_PER_SERIES, SHORTEST, LONGEST_USUAL);
    int longest = Math.max(SHORTEST, length / FEWEST_BLOCKS);
    double[][] deviations =
        Arrays.stream(saturated).map(BlockLength::deviations).toArray(double[][]::new);
    double variance = products(deviations, 0);
    double all = variance;
    double lost = 0;
    double at = variance;
    for (int lag = 1; lag <= longest && at > 0; lag++) {
      at = Math.max(0, products(deviations, lag));
      all += 2 * at;
      lost += 2 * lag * at;
    }
    double needed = variance > 0 ? lost / all / LOST : 0;
    return (int) Math.min(longest, Math.max(usual, Math.ceil(needed)));
  }

  private static double[] deviations(boolean[] series) {
    double[] deviations = new double[series.length];
    int ones = 0;
    for (boolean each : series) {
      ones += each ? 1 : 0;
    }
    double share = (double) ones / series.length;
    Arrays.setAll(deviations, i -> (series[i] ? 1 : 0) - share);
    return deviations;
  }

  /** The autocovariance of the products of all pairs; none where no series remembers so long. */
  private static double products(double[][] deviations, int lag) {
    double sum = 0;
    double squares = 0;
    for (double[] each : deviations) {
      double covariance = 0;
      for (int i = lag; i < each.length; i++) {
        covariance += each[i] * each[i - lag];
      }
      covariance /= each.length;
      sum += covariance;
      squares += covariance * covariance;
    }
    return sum > 0 ? (sum * sum - squares) / 2 : 0;
  }
}
