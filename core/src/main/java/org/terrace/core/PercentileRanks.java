package org.terrace.core;

/**
 * Ranks between which a true percentile lies. The number of values that do not exceed it is
 * binomial whatever their distribution, if they are independent (David and Nagaraja, Order
 * Statistics, 2003, section 7.1).
 *
 * @param low the rank of the lower end; 0: there are too few values for one
 * @param high the rank of the upper end; above the number of values: there are too few for one
 */
public record PercentileRanks(int low, int high) {
  /** Smaller weights, in terms of the largest, change no rank. */
  private static final double NEGLIGIBLE = 1e-25;

  /**
   * The ranks for a number of values. It costs some twenty standard deviations of the binomial
   * distribution.
   *
   * @param percentile between 0 and 100, both excluded
   * @param tail the greatest probability that it lies below the one, and above the other
   */
  public static PercentileRanks of(int count, double percentile, double tail) {
    double share = percentile / 100;
    double odds = share / (1 - share);
    int mode = (int) Math.min(count, Math.floor((count + 1.0) * share));
    int first = mode;
    double weight = 1;
    double all = 1;
    while (first > 0 && weight > NEGLIGIBLE) {
      weight *= first / ((count - first + 1.0) * odds);
      all += weight;
      first--;
    }
    double firstWeight = weight;
    weight = 1;
    for (int at = mode; at < count && weight > NEGLIGIBLE; at++) {
      weight *= (count - at) * odds / (at + 1.0);
      all += weight;
    }
    // P(B < low) and P(B >= high) are each at most the tail.
    int low = first;
    weight = firstWeight;
    double below = weight;
    while (below < tail * all && low < count) {
      weight *= (count - low) * odds / (low + 1.0);
      below += weight;
      low++;
    }
    int last = low;
    while (below < (1 - tail) * all && last < count) {
      weight *= (count - last) * odds / (last + 1.0);
      below += weight;
      last++;
    }
    return new PercentileRanks(low, last + 1);
  }
}
