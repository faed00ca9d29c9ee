package org.terrace.details.history;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Values as their ranks, ties as the mean of theirs, less the mean of all: what a test on levels
 * needs of them, whatever their distribution. Immutable.
 */
final class RankedValues {
  /** The fewest values on one side of a split. */
  static final int LEAST_SIDE = 5;

  private static final double ROUNDING = 1e-9;

  private final double[] scores;
  private final double squares;

  private RankedValues(double[] scores) {
    this.scores = scores;
    this.squares = Arrays.stream(scores).map(score -> score * score).sum();
  }

  /**
   * The place at which values differ most before and after.
   *
   * @param at the first value after it
   * @param strength the rank sum's distance from what it would be without a change, in standard
   *     deviations: 0 where all values are equal
   */
  record Split(int at, double strength) {}

  static RankedValues of(double[] values) {
    int count = values.length;
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double[] scores = new double[count];
    for (int i = 0; i < count; i++) {
      int less = countBelow(sorted, values[i], false);
      int notMore = countBelow(sorted, values[i], true);
      scores[i] = (less + notMore - count) / 2.0;
    }
    return new RankedValues(scores);
  }

  /** The number of values. */
  int count() {
    return scores.length;
  }

  /**
   * The ranks less what their neighbours before them say of them, about their mean: one less, as
   * the first has no neighbour.
   *
   * @param memory the correlation of neighbours, 0 to below 1
   */
  RankedValues whitened(double memory) {
    double[] white = new double[scores.length - 1];
    for (int i = 0; i < white.length; i++) {
      white[i] = scores[i + 1] - memory * scores[i];
    }
    double mean = Arrays.stream(white).average().orElse(0);
    return new RankedValues(Arrays.stream(white).map(each -> each - mean).toArray());
  }

  private static int countBelow(double[] sorted, double value, boolean orEqual) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) / 2;
      if (sorted[middle] < value || (orEqual && sorted[middle] == value)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The strongest split with at least {@value #LEAST_SIDE} values on each side. */
  Split strongest() {
    int count = scores.length;
    Split best = new Split(count / 2, 0);
    double sum = 0;
    for (int at = 1; at <= count - LEAST_SIDE; at++) {
      sum += scores[at - 1];
      double deviation = deviation(at);
      if (at >= LEAST_SIDE && deviation > 0 && Math.abs(sum) / deviation > best.strength()) {
        best = new Split(at, Math.abs(sum) / deviation);
      }
    }
    return best;
  }

  /** The standard deviation of the sum of so many scores that are drawn without replacement. */
  private double deviation(int drawn) {
    double count = scores.length;
    return Math.sqrt(drawn * (count - drawn) / (count * (count - 1)) * squares);
  }

  /**
   * The probability that values without order have a split at least as strong: of permutations,
   * those that do, this order among them. It ends once the level cannot be reached any more.
   *
   * @param strength that of the strongest split
   * @param permutations how many at most
   * @param level the probability that matters; above it the result is only known to be above
   */
  double probability(double strength, int permutations, double level, SplittableRandom random) {
    int count = scores.length;
    double[] limits = new double[count];
    for (int at = LEAST_SIDE; at <= count - LEAST_SIDE; at++) {
      limits[at] = strength * deviation(at) - ROUNDING;
    }
    double[] shuffled = scores.clone();
    int stronger = 0;
    for (int drawn = 1; drawn <= permutations; drawn++) {
      stronger += isAsStrong(shuffled, limits, random) ? 1 : 0;
      if (stronger + 1 > level * (permutations + 1) + ROUNDING) {
        return (stronger + 1.0) / (drawn + 1);
      }
    }
    return (stronger + 1.0) / (permutations + 1);
  }

  /** Shuffles as far as needed, which is enough for the next shuffle to be a fair one. */
  private static boolean isAsStrong(double[] shuffled, double[] limits, SplittableRandom random) {
    int count = shuffled.length;
    double sum = 0;
    for (int i = 0; i < count - LEAST_SIDE; i++) {
      int other = i + random.nextInt(count - i);
      double drawn = shuffled[other];
      shuffled[other] = shuffled[i];
      shuffled[i] = drawn;
      sum += drawn;
      if (i + 1 >= LEAST_SIDE && Math.abs(sum) >= limits[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /**
   * The correlation of neighbours, 0 to 1, once the levels before and after a split are taken out.
   */
  double memory(int split) {
    double before = mean(0, split);
    double after = mean(split, scores.length);
    double products = 0;
    double own = 0;
    double last = 0;
    for (int i = 0; i < scores.length; i++) {
      double off = scores[i] - (i < split ? before : after);
      own += off * off;
      products += i == split ? 0 : off * last;
      last = off;
    }
    return own == 0 ? 0 : Math.clamp(products / own, 0, 1);
  }

  private double mean(int from, int to) {
    return Arrays.stream(scores, from, to).average().orElse(0);
  }
}
