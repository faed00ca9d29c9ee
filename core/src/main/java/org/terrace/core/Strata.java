package org.terrace.core;

import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A stretch of time in blocks of equal length, grouped into strata of blocks that are alike. Within
 * a stratum its blocks, put side by side, are a circle around which events can be moved: they then
 * meet other moments, but only such as are like their own. Immutable.
 */
public final class Strata implements Serializable {
  /** As much is asked for in a block, at least, as usually in so many before and after it. */
  private static final int NEAR = 5;

  /** Those are none in which requests take more than so many times as long as usual. */
  private static final double SLOW = 2;

  /** Blocks that are farther off do not tell what would have been asked for. */
  private static final int FARTHEST = 60;

  private final long origin;
  private final long blockNanos;

  /** The stratum of each block, and its place in that stratum. */
  private final int[] stratum;

  private final int[] place;
  private final int[] sizes;

  private Strata(long origin, long blockNanos, int[] stratum, int strata) {
    this.origin = origin;
    this.blockNanos = blockNanos;
    this.stratum = stratum;
    place = new int[stratum.length];
    sizes = new int[strata];
    for (int block = 0; block < stratum.length; block++) {
      place[block] = sizes[stratum[block]]++;
    }
  }

  /**
   * Strata of blocks by a level, equally many blocks in each.
   *
   * @param levels the level of each block
   * @param count the number of strata, at least 1
   */
  public static Strata byLevel(long origin, long blockNanos, double[] levels, int count) {
    long[] order = Order.ascending(levels, new boolean[levels.length]);
    int[] stratum = new int[levels.length];
    for (int i = 0; i < order.length; i++) {
      stratum[Order.index(order[i])] = (int) ((long) i * count / order.length);
    }
    return new Strata(origin, blockNanos, stratum, count);
  }

  /**
   * Strata of blocks of about a second by what was asked of a server in each, equally many blocks
   * in each. Callers that wait for a slow server ask it for less: that makes no time of little
   * demand, however long it is slow.
   *
   * @param came the requests that came in each block
   * @param there the time that requests spent in each block, in any unit
   * @param count the number of strata, at least 1
   */
  public static Strata byDemand(
      long origin, long blockNanos, double[] came, double[] there, int count) {
    IntStream busy = IntStream.range(0, came.length).filter(i -> came[i] > 0);
    double usual = Percentiles.median(busy.mapToDouble(i -> there[i] / came[i]).toArray());
    IntPredicate isUsual = i -> there[i] <= SLOW * usual * came[i];
    double[] asked = came.clone();
    for (int block = 0; block < asked.length; block++) {
      int from = block;
      double[] near =
          IntStream.of(-1, 1)
              .flatMap(step ->
                  IntStream.iterate(from + step, i -> i >= 0 && i < came.length, i -> i + step)
                      .limit(FARTHEST)
                      .filter(isUsual)
                      .limit(NEAR))
              .mapToDouble(i -> came[i])
              .toArray();
      asked[block] =
          near.length == 0 ? came[block] : Math.max(came[block], Percentiles.median(near));
    }
    return byLevel(origin, blockNanos, asked, count);
  }

  /** The intervals on the circle of each stratum; what lies beyond the blocks is left out. */
  public Intervals[] split(Intervals intervals) {
    Intervals[] split = new Intervals[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      int which = i;
      split[i] =
          intervals.cut(
              origin,
              blockNanos,
              stratum.length,
              block -> stratum[block] == which ? place[block] * blockNanos : -1,
              sizes[i] * blockNanos);
    }
    return split;
  }

  /** The overlap of two sets of split intervals, the second moved at random in each stratum. */
  public long overlapShifted(Intervals[] fixed, Intervals[] moved, SplittableRandom random) {
    long sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      long circumference = sizes[i] * blockNanos;
      if (circumference > 0) {
        long shift = random.nextLong(circumference);
        sum += fixed[i].overlapShifted(moved[i], 0, circumference, shift);
      }
    }
    return sum;
  }

  /** The overlap by chance of two sets of split intervals. */
  public double overlapByChance(Intervals[] first, Intervals[] second) {
    double sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      double circumference = sizes[i] * blockNanos;
      if (circumference > 0) {
        sum += first[i].length() * (double) second[i].length() / circumference;
      }
    }
    return sum;
  }

  /** The time that the blocks cover, in nanoseconds. */
  public long length() {
    return Arrays.stream(sizes).sum() * blockNanos;
  }
}
