package org.terrace.details.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The places at which the level of a series changed. Immutable.
 *
 * <p>The series is read value by value, as it came. At each value all splits of the values since
 * the last change are tried, and the strongest is told as a change when values without order would
 * seldom have one as strong: a change-point model with the rank sum of Mann and Whitney (Hawkins
 * and Deng, A Nonparametric Change-Point Control Chart, 2010; Ross, Tasoulis and Adams,
 * Nonparametric Monitoring of Data Streams for Changes in Location and Scale, 2011). The
 * probability is that of permutations, by a fixed seed. What is told of a value is a function of
 * the values up to it, and what was told closes the series before it: values that come later move,
 * add and take away nothing of that.
 *
 * <p>The ranks say that there is a change, and little of its place: a high value of the old level
 * ranks just below the new one, however far that is. So the place is the one that parts the values
 * themselves best, by the distance of their distributions, of those that told the change.
 *
 * <p>Permutations take values for independent. Neighbours in a history often are not, so each rank
 * is taken less the correlation with its neighbour times that neighbour's (prewhitening). It is
 * done to ranks, which are bounded, and the differences are summed as they are: of values, or
 * ranked again, a good one after a very bad one would count as extraordinarily good, and a level
 * that is bad now and then would be none. The correlation is estimated with the split's levels
 * taken out, corrected for its bias in short series, and taken to be at least {@value
 * #LEAST_MEMORY}.
 *
 * <p>Memory and time are linear in the values: no more than {@value #WINDOW} values are tried at
 * once.
 *
 * @param told the changes, in their order
 * @param suspected a change of which there are signs, but not enough: it is told neither now nor
 *     perhaps ever; null if there is none
 * @param newest the first of the newest values that lie outside of what those before them allow,
 *     too few to be one side of a split; null if there is none
 */
public record ChangePoints(List<Place> told, @Nullable Place suspected, @Nullable Place newest) {
  /** The fewest values since the last change, or the first, of which a change can be told. */
  public static final int FEWEST_VALUES = 20;

  /** The most values that are tried at once. */
  public static final int WINDOW = 200;

  /** The highest probability, without a change, of a split that is told as one. */
  public static final double LEVEL = 2.5e-5;

  /** The probability below which a split is a sign of a change. */
  public static final double SUSPECTED_LEVEL = 0.01;

  private static final int PERMUTATIONS = 39_999;
  private static final int PERMUTATIONS_OF_SIGNS = 999;

  /** A strength that is far from both levels, whatever the number of values. */
  private static final double WEAK = 2.5;

  private static final double LEAST_MEMORY = 0.15;
  private static final double MOST_MEMORY = 0.9;

  /**
   * The bias of a correlation is -(1 + 3r) / n about one mean (Kendall, Note on Bias in the
   * Estimation of Autocorrelation, 1954); two means at the place that parts them best take more.
   */
  private static final double BIAS = 3;

  /** Copies the list. */
  public ChangePoints {
    told = List.copyOf(told);
  }

  /**
   * A place at which the level changed.
   *
   * @param from the first value that was looked at, from 0
   * @param at the first value of the new level
   * @param toldAt the value with which there was evidence enough, at or after {@code at}
   * @param probability the probability of such a split without a change
   * @param memory the correlation of neighbours that was reckoned with, 0 to 1
   */
  public record Place(int from, int at, int toldAt, double probability, double memory) {}

  /** The changes of a series of finite values. */
  public static ChangePoints of(double[] values) {
    List<Place> told = new ArrayList<>();
    int start = 0;
    for (int last = 0; last < values.length; last++) {
      Place place = tried(values, start, last, PERMUTATIONS, LEVEL);
      if (place != null) {
        told.add(place);
        start = place.at();
      }
    }
    int last = values.length - 1;
    return new ChangePoints(
        told,
        tried(values, start, last, PERMUTATIONS_OF_SIGNS, SUSPECTED_LEVEL),
        newest(values, start, last));
  }

  /** The strongest split of the values up to one, if its probability is not above a level. */
  private static @Nullable Place tried(
      double[] values, int start, int last, int permutations, double level) {
    int from = Math.max(start, last + 1 - WINDOW);
    if (last + 1 - from < FEWEST_VALUES) {
      return null;
    }
    double[] window = Arrays.copyOfRange(values, from, last + 1);
    RankedValues seen = RankedValues.of(window);
    double memory = memory(seen);
    RankedValues ranked = seen.whitened(memory);
    RankedValues.Split split = ranked.strongest();
    if (split.strength() < WEAK) {
      return null;
    }
    double probability =
        ranked.probability(split.strength(), permutations, level, new SplittableRandom(last));
    if (probability > level) {
      return null;
    }
    int at = from + EnergyDistance.place(window, RankedValues.LEAST_SIDE);
    return new Place(from, at, last, probability, memory);
  }

  private static @Nullable Place newest(double[] values, int start, int last) {
    int from = Math.max(start, last + 1 - WINDOW);
    if (last + 1 - from < FEWEST_VALUES) {
      return null;
    }
    NewestValues newest = NewestValues.of(Arrays.copyOfRange(values, from, last + 1));
    return newest.count() == 0
        ? null
        : new Place(from, last + 1 - newest.count(), last, newest.probability(), LEAST_MEMORY);
  }

  private static double memory(RankedValues seen) {
    double memory = seen.memory(seen.strongest().at());
    double corrected = memory + BIAS * (1 + 3 * memory) / seen.count();
    return Math.clamp(corrected, LEAST_MEMORY, MOST_MEMORY);
  }
}
