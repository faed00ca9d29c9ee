package org.terrace.scaling.bottleneck;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A test of whether resources are saturated independently of each other. Immutable.
 *
 * <p>The statistic is the variance over time of the number of saturated resources: saturation that
 * moves from one to another keeps that number steady, saturation that comes together makes it
 * swing. Under independence each series may be rearranged by itself; it is, in blocks, so that what
 * neighbours in time share stays together (block permutation). A block is as long as the series
 * remember: with a lag-one correlation r, products of two of them forget within (1 + r²) / (1 - r²)
 * samples. A p-value of m permutations is (1 + those at least as extreme) / (1 + m), and permuting
 * ends when it can fall below no level that matters (Besag and Clifford, Sequential Monte Carlo
 * p-values, 1991).
 *
 * @param alternating the probability, under independence, of a number at least as steady
 * @param together the probability of a number that swings at least as much
 * @param steadiness the variance over its mean under independence: 1 where nothing depends on
 *     anything, near 0 where there is always the same number saturated
 * @param blockLength the length of the blocks, in samples
 * @param changes how often the saturated set changed to one that shares nothing with the one before
 */
public record Dependence(
    double alternating, double together, double steadiness, int blockLength, int changes) {
  /** Extreme permutations after which the rest would not matter. */
  private static final int ENOUGH = 20;

  private static final int SHORTEST_BLOCK = 3;
  private static final int LONGEST_USUAL_BLOCK = 10;
  private static final int BLOCKS_PER_SERIES = 18;
  private static final int FEWEST_BLOCKS = 6;
  private static final double MEMORIES_PER_BLOCK = 1.5;

  /**
   * Tests series of equal length. O(permutations × series × length).
   *
   * @param saturated for each resource, whether it was saturated at each sample
   * @param permutations the permutations, at most
   * @param seed the seed of the permutations
   */
  static Dependence of(boolean[][] saturated, int permutations, long seed) {
    int length = saturated[0].length;
    int block = blockLength(saturated);
    long observed = squares(saturated);
    SplittableRandom random = new SplittableRandom(seed);
    int steadier = 0;
    int wilder = 0;
    int drawn = 0;
    double drawnSquares = 0;
    int[] counts = new int[length];
    int[] order = new int[(length + block - 1) / block];
    while (drawn < permutations && (steadier < ENOUGH || wilder < ENOUGH)) {
      Arrays.fill(counts, 0);
      for (boolean[] series : saturated) {
        addPermuted(series, block, order, counts, random);
      }
      long sum = 0;
      for (int count : counts) {
        sum += (long) count * count;
      }
      steadier += sum <= observed ? 1 : 0;
      wilder += sum >= observed ? 1 : 0;
      drawnSquares += sum;
      drawn++;
    }
    double mean = (double) total(saturated) / length;
    double variance = (double) observed / length - mean * mean;
    double expected = drawnSquares / drawn / length - mean * mean;
    return new Dependence(
        (steadier + 1.0) / (drawn + 1),
        (wilder + 1.0) / (drawn + 1),
        expected > 0 ? variance / expected : 1,
        block,
        changes(saturated));
  }

  private static long total(boolean[][] saturated) {
    long total = 0;
    for (boolean[] series : saturated) {
      for (boolean each : series) {
        total += each ? 1 : 0;
      }
    }
    return total;
  }

  /** The sum over time of the squared number of saturated resources; their sum never changes. */
  private static long squares(boolean[][] saturated) {
    long sum = 0;
    for (int t = 0; t < saturated[0].length; t++) {
      long count = 0;
      for (boolean[] series : saturated) {
        count += series[t] ? 1 : 0;
      }
      sum += count * count;
    }
    return sum;
  }

  private static void addPermuted(
      boolean[] series, int block, int[] order, int[] counts, SplittableRandom random) {
    int length = series.length;
    for (int i = 0; i < order.length; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    // The blocks begin anywhere on the circle, else all series would be cut at the same places.
    int shift = random.nextInt(length);
    int at = 0;
    for (int each : order) {
      int end = Math.min(length, (each + 1) * block);
      for (int i = each * block; i < end; i++) {
        int from = i + shift;
        counts[at++] += series[from < length ? from : from - length] ? 1 : 0;
      }
    }
  }

  private static int blockLength(boolean[][] saturated) {
    int length = saturated[0].length;
    double memory = 0;
    for (boolean[] series : saturated) {
      memory = Math.max(memory, correlation(series));
    }
    double squared = memory * memory;
    double forgets = MEMORIES_PER_BLOCK * (1 + squared) / (1 - squared);
    int usual = Math.clamp(length / BLOCKS_PER_SERIES, SHORTEST_BLOCK, LONGEST_USUAL_BLOCK);
    int longest = Math.max(SHORTEST_BLOCK, length / FEWEST_BLOCKS);
    return (int) Math.min(longest, Math.max(usual, Math.ceil(forgets)));
  }

  /** The lag-one correlation, 0 to 0.99. */
  private static double correlation(boolean[] series) {
    int ones = 0;
    int both = 0;
    for (int i = 0; i < series.length; i++) {
      ones += series[i] ? 1 : 0;
      both += i > 0 && series[i] && series[i - 1] ? 1 : 0;
    }
    double share = (double) ones / series.length;
    double variance = share * (1 - share);
    if (variance == 0 || series.length < 2) {
      return 0;
    }
    double covariance = (double) both / (series.length - 1) - share * share;
    return Math.clamp(covariance / variance, 0, 0.99);
  }

  private static int changes(boolean[][] saturated) {
    int changes = 0;
    int last = -1;
    for (int t = 0; t < saturated[0].length; t++) {
      boolean any = false;
      boolean kept = last < 0;
      for (boolean[] series : saturated) {
        any |= series[t];
        kept |= last >= 0 && series[t] && series[last];
      }
      if (any) {
        changes += kept ? 0 : 1;
        last = t;
      }
    }
    return changes;
  }
}
