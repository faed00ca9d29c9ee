package org.terrace.details.history;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.Percentiles;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;

/**
 * A change of a figure's level within a history. All of it is reckoned from the points up to the
 * one with which it was told, so that points which come later change nothing of it. Immutable.
 *
 * @param at the label of the first point of the new level
 * @param position the place of that point among the figure's points, from 0
 * @param toldAt the label of the point with which there was evidence enough
 * @param delay how many points of the new level that took, 1 or more
 * @param before the median of the points before
 * @param after the median of the points of the new level
 * @param pointsBefore how many points before there were, back to the last change, at most {@value
 *     ChangePoints#WINDOW} with those after
 * @param pointsAfter how many points of the new level
 * @param ratio whether the size is a ratio, after over before; else it is a difference
 * @param size how much the level changed, by the median of all pairs
 * @param low the lower end of the size's 99 % interval, which takes the place as given; null where
 *     there are too few points for one
 * @param high the upper end
 * @param probability the probability of a split as strong without a change
 * @param correlation the correlation of neighbours that was reckoned with
 * @param since the label of the first point of the level that it was judged against: that before
 *     it, or, where the steps since then do not matter one by one and do together, that after the
 *     last change that was better or worse
 * @param nowAndThen whether the verdict is that of values which lie outside now and then: the size,
 *     a median, does not show them
 * @param verdict whether it is better or worse, the same where it does not matter, or unknown
 */
public record HistoryChange(
    String at,
    int position,
    String toldAt,
    int delay,
    double before,
    double after,
    int pointsBefore,
    int pointsAfter,
    boolean ratio,
    double size,
    @Nullable Double low,
    @Nullable Double high,
    double probability,
    double correlation,
    String since,
    boolean nowAndThen,
    Verdict verdict) {
  private static final String PER_CENT = "%";
  private static final double WHOLE = 100;

  /**
   * Reckons a change.
   *
   * @param reference the level after the last change that was better or worse, from its first point
   *     to the one behind its last
   */
  static HistoryChange of(
      MetricHistory history, ChangePoints.Place place, Level reference, double margin) {
    List<MetricHistory.Point> points = history.points();
    double[] before = values(points, place.from(), place.at());
    double[] after = values(points, place.at(), place.toldAt() + 1);
    Metric metric = history.metric();
    boolean ratio =
        metric.scale() == Scale.RATIO
            && Stream.of(before, after).flatMapToDouble(Arrays::stream).allMatch(each -> each > 0);
    LevelShift shift = shift(before, after, place, ratio);
    Verdict ofMedian = verdict(history, shift, limit(metric, before, ratio, margin));
    Verdict verdict = withTails(ofMedian, history, before, after, margin);
    int since = place.from();
    if (verdict != Verdict.BETTER && verdict != Verdict.WORSE && reference.from() < place.from()) {
      double[] first = values(points, reference.from(), reference.to());
      boolean both = ratio && Arrays.stream(first).allMatch(each -> each > 0);
      Verdict together =
          verdict(history, shift(first, after, place, both), limit(metric, first, both, margin));
      if (together == Verdict.BETTER || together == Verdict.WORSE) {
        verdict = together;
        since = reference.from();
      }
    }
    return new HistoryChange(
        points.get(place.at()).label(),
        place.at(),
        points.get(place.toldAt()).label(),
        place.toldAt() - place.at() + 1,
        Percentiles.median(before),
        Percentiles.median(after),
        before.length,
        after.length,
        ratio,
        back(shift.estimate(), ratio),
        back(shift.low(), ratio),
        back(shift.high(), ratio),
        place.probability(),
        place.memory(),
        points.get(since).label(),
        since == place.from() && verdict != ofMedian,
        verdict);
  }

  /** Whether the levels on the two sides of a place differ by more than does not matter. */
  static boolean isBeyondMargin(MetricHistory history, ChangePoints.Place place, double margin) {
    double[] before = values(history.points(), place.from(), place.at());
    double[] after = values(history.points(), place.at(), place.toldAt() + 1);
    double shift = shift(before, after, place, false).estimate();
    return Math.abs(shift) > limit(history.metric(), before, false, margin);
  }

  /** The points of one level, from its first to the one behind its last. */
  record Level(int from, int to) {}

  private static LevelShift shift(
      double[] before, double[] after, ChangePoints.Place place, boolean ratio) {
    return ratio
        ? LevelShift.of(logarithms(before), logarithms(after), place.memory())
        : LevelShift.of(before, after, place.memory());
  }

  /**
   * A share of the level where the figure does not say itself what does not matter; of a share of a
   * whole of which more is better, such as an availability, one of what is lacking if that is less.
   */
  private static double limit(Metric metric, double[] before, boolean ratio, double margin) {
    if (ratio) {
      return Math.log1p(margin);
    }
    if (metric.tolerance() > 0) {
      return metric.tolerance();
    }
    double level = Math.abs(Percentiles.median(before));
    boolean lacking =
        metric.unit().equals(PER_CENT) && metric.better() == Better.MORE && level <= WHOLE;
    return margin * (lacking ? Math.min(level, WHOLE - level) : level);
  }

  /**
   * There is a change, whatever its size: it is the same only if the whole interval lies within
   * what does not matter, and unknown if the interval alone reaches beyond.
   */
  private static Verdict verdict(MetricHistory history, LevelShift shift, double limit) {
    Double low = shift.low();
    Double high = shift.high();
    if (low != null && high != null && low >= -limit && high <= limit) {
      return Verdict.SAME;
    }
    if (!history.directed() || Math.abs(shift.estimate()) <= limit) {
      return Verdict.UNKNOWN;
    }
    return verdict(history, shift.estimate() < 0);
  }

  /** The verdict of a level's ends where that of the median says neither better nor worse. */
  private static Verdict withTails(
      Verdict ofMedian, MetricHistory history, double[] before, double[] after, double margin) {
    if (ofMedian == Verdict.BETTER || ofMedian == Verdict.WORSE) {
      return ofMedian;
    }
    int direction = Tails.direction(before, after, limit(history.metric(), before, false, margin));
    if (direction == 0) {
      return ofMedian;
    }
    return history.directed() ? verdict(history, direction < 0) : Verdict.UNKNOWN;
  }

  private static Verdict verdict(MetricHistory history, boolean less) {
    return less == (history.metric().better() == Better.LESS) ? Verdict.BETTER : Verdict.WORSE;
  }

  private static double[] values(List<MetricHistory.Point> points, int from, int to) {
    return points.subList(from, to).stream().mapToDouble(MetricHistory.Point::value).toArray();
  }

  private static double[] logarithms(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double back(double value, boolean ratio) {
    return ratio ? Math.exp(value) : value;
  }

  private static @Nullable Double back(@Nullable Double value, boolean ratio) {
    return value == null ? null : Double.valueOf(back(value.doubleValue(), ratio));
  }
}
