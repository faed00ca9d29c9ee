package org.terrace.details.history;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    Verdict verdict) {
  static HistoryChange of(MetricHistory history, ChangePoints.Place place, double margin) {
    List<MetricHistory.Point> points = history.points();
    double[] before = values(points, place.from(), place.at());
    double[] after = values(points, place.at(), place.toldAt() + 1);
    Metric metric = history.metric();
    boolean ratio =
        metric.scale() == Scale.RATIO
            && Stream.of(before, after).flatMapToDouble(Arrays::stream).allMatch(each -> each > 0);
    LevelShift shift =
        ratio
            ? LevelShift.of(logarithms(before), logarithms(after), place.memory())
            : LevelShift.of(before, after, place.memory());
    double limit = ratio ? Math.log1p(margin) : metric.tolerance();
    return new HistoryChange(
        points.get(place.at()).label(),
        place.at(),
        points.get(place.toldAt()).label(),
        place.toldAt() - place.at() + 1,
        median(before),
        median(after),
        before.length,
        after.length,
        ratio,
        back(shift.estimate(), ratio),
        back(shift.low(), ratio),
        back(shift.high(), ratio),
        place.probability(),
        place.memory(),
        verdict(history, shift, limit));
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
    boolean less = shift.estimate() < 0;
    return less == (history.metric().better() == Better.LESS) ? Verdict.BETTER : Verdict.WORSE;
  }

  private static double[] values(List<MetricHistory.Point> points, int from, int to) {
    return points.subList(from, to).stream().mapToDouble(MetricHistory.Point::value).toArray();
  }

  private static double[] logarithms(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static double back(double value, boolean ratio) {
    return ratio ? Math.exp(value) : value;
  }

  private static @Nullable Double back(@Nullable Double value, boolean ratio) {
    return value == null ? null : Double.valueOf(back(value.doubleValue(), ratio));
  }
}
