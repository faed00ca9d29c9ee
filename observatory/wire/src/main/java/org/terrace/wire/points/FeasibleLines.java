package org.terrace.wire.points;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines that keep all bounds of a stretch: the corrections of a clock whose rate was constant.
 * They are found by the convex chains of the bounds, between which each must pass, as Duda et al.
 * 1987 have it; the linear programme of Sue Moon, Paul Skelly and Don Towsley, <i>Estimation and
 * Removal of Clock Skew from Network Delay Measurements</i>, INFOCOM 1999, is the same for one
 * direction. Rates beyond {@link PathSides#DRIFT_MAX} are no clock's. Immutable.
 */
final class FeasibleLines {
  /** The nanoseconds that calculation with floating point may be off by. */
  private static final double ROUNDING_NANOS = 0.001;

  private final BoundHull upper;
  private final BoundHull lower;
  private final long originNanos;
  private final long baseNanos;

  /** The slopes at which the extremes lie: the outermost possible ones, and edges between. */
  private final double[] slopes;

  private FeasibleLines(
      BoundHull upper, BoundHull lower, long originNanos, long baseNanos, double[] slopes) {
    this.upper = upper;
    this.lower = lower;
    this.originNanos = originNanos;
    this.baseNanos = baseNanos;
    this.slopes = slopes;
  }

  /** The lines that keep the bounds of a range, which is not empty; null when there are none. */
  static @Nullable FeasibleLines of(ClockBounds bounds, int from, int to) {
    long origin = bounds.timesNanos()[from];
    long base = bounds.boundsNanos()[from];
    BoundHull upper = new BoundHull();
    BoundHull lower = new BoundHull();
    for (int at : inTime(bounds.timesNanos(), from, to)) {
      double time = bounds.timesNanos()[at] - origin;
      double value = bounds.boundsNanos()[at] - base;
      if (bounds.upper()[at]) {
        upper.add(time, value);
      } else {
        lower.add(time, -value);
      }
    }
    double[] slopes = possible(upper, lower);
    return slopes.length == 0 ? null : new FeasibleLines(upper, lower, origin, base, slopes);
  }

  private static int[] inTime(long[] times, int from, int to) {
    int[] order = IntStream.range(from, to).toArray();
    for (int at = from + 1; at < to; at++) {
      if (times[at] < times[at - 1]) {
        return IntStream.range(from, to)
            .boxed()
            .sorted((one, other) -> Long.compare(times[one], times[other]))
            .mapToInt(Integer::intValue)
            .toArray();
      }
    }
    return order;
  }

  /**
   * The possible slopes that matter, in order: room is concave in the slope, and bends at edges.
   */
  private static double[] possible(BoundHull upper, BoundHull lower) {
    double[] bends =
        DoubleStream.concat(
                DoubleStream.of(-PathSides.DRIFT_MAX, 0, PathSides.DRIFT_MAX),
                DoubleStream.concat(
                    Arrays.stream(upper.slopes()),
                    Arrays.stream(lower.slopes()).map(each -> -each)))
            .filter(slope -> Math.abs(slope) <= PathSides.DRIFT_MAX)
            .sorted()
            .distinct()
            .toArray();
    double[] room = Arrays.stream(bends).map(slope -> room(upper, lower, slope)).toArray();
    int first = 0;
    while (first < bends.length && room[first] < 0) {
      first++;
    }
    if (first == bends.length) {
      return new double[0];
    }
    int last = bends.length - 1;
    while (room[last] < 0) {
      last--;
    }
    double[] kept =
        Arrays.copyOfRange(bends, Math.max(0, first - 1), Math.min(bends.length, last + 2));
    if (first > 0) {
      kept[0] = crossing(bends, room, first - 1, first);
    }
    if (last < bends.length - 1) {
      kept[kept.length - 1] = crossing(bends, room, last + 1, last);
    }
    return kept;
  }

  private static double crossing(double[] bends, double[] room, int outside, int inside) {
    double share = room[inside] / (room[inside] - room[outside]);
    return bends[inside] + (bends[outside] - bends[inside]) * share;
  }

  private static double room(BoundHull upper, BoundHull lower, double slope) {
    return upper.intercept(slope) + lower.intercept(-slope) + ROUNDING_NANOS;
  }

  /** The least possible slope: the share by which the other clock is faster. */
  double slopeMin() {
    return slopes[0];
  }

  /** The greatest possible slope. */
  double slopeMax() {
    return slopes[slopes.length - 1];
  }

  /** Whether there are bounds from both sides. */
  boolean isBounded() {
    return !upper.isEmpty() && !lower.isEmpty();
  }

  /** The largest correction of any line at a time, relative to a value; may be infinite. */
  double highest(long timeNanos, long relativeTo) {
    double time = timeNanos - originNanos;
    double highest = Double.NEGATIVE_INFINITY;
    for (double slope : slopes) {
      highest = Math.max(highest, upper.intercept(slope) + slope * time);
    }
    return highest + ROUNDING_NANOS + (baseNanos - relativeTo);
  }

  /** The least correction of any line at a time, relative to a value; may be infinite. */
  double lowest(long timeNanos, long relativeTo) {
    double time = timeNanos - originNanos;
    double lowest = Double.POSITIVE_INFINITY;
    for (double slope : slopes) {
      lowest = Math.min(lowest, slope * time - lower.intercept(-slope));
    }
    return lowest - ROUNDING_NANOS + (baseNanos - relativeTo);
  }

  /**
   * The line in the middle of those with the simplest slope: none if it is possible, the middle one
   * otherwise. With bounds from one side alone it is the line that touches them.
   */
  ClockPiece middle(long firstNumber, long middleNanos) {
    double slope = slopeMin() <= 0 && slopeMax() >= 0 ? 0 : (slopeMin() + slopeMax()) / 2;
    double time = middleNanos - originNanos;
    double high = upper.intercept(slope) + slope * time;
    double low = slope * time - lower.intercept(-slope);
    double value = Double.isInfinite(high) ? low : Double.isInfinite(low) ? high : (high + low) / 2;
    return new ClockPiece(firstNumber, middleNanos, baseNanos + Math.round(value), slope);
  }
}
