package org.terrace.details.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.Metric;

/**
 * A figure over a history with the changes of its level. Immutable.
 *
 * @param metric what it is
 * @param points its value in each result that has it
 * @param missing the results that lack it, from the first that has it on
 * @param judged whether there are points enough since the last change to tell another
 * @param changes the changes, in the order of time
 * @param suspected signs of a change since the last one that are not enough yet, or newest points
 *     that lie by more than the margin outside of what those before them allow; null if none
 */
public record MetricTrend(
    Metric metric,
    List<MetricHistory.Point> points,
    List<MissingStretch> missing,
    boolean judged,
    List<HistoryChange> changes,
    @Nullable HistoryChange suspected) {
  /** Copies the lists. */
  public MetricTrend {
    points = List.copyOf(points);
    missing = List.copyOf(missing);
    changes = List.copyOf(changes);
  }

  /**
   * Finds the changes of a figure.
   *
   * @param margin the ratio's change that does not matter, as a share, above 0; a difference that
   *     does not matter is the metric's own
   */
  public static MetricTrend of(MetricHistory history, double margin) {
    if (!(margin > 0)) {
      throw new IllegalArgumentException("expected a margin above 0, not " + margin);
    }
    double[] values = history.points().stream().mapToDouble(MetricHistory.Point::value).toArray();
    ChangePoints found = ChangePoints.of(values);
    List<HistoryChange> changes = new ArrayList<>();
    HistoryChange.Level reference = new HistoryChange.Level(0, 0);
    for (ChangePoints.Place place : found.told()) {
      reference = closed(reference, place);
      HistoryChange change = HistoryChange.of(history, place, reference, margin);
      changes.add(change);
      if (change.verdict() == Verdict.BETTER || change.verdict() == Verdict.WORSE) {
        reference = new HistoryChange.Level(place.at(), place.at());
      }
    }
    ChangePoints.Place suspected = found.suspected();
    ChangePoints.Place newest = found.newest();
    if (suspected == null
        && newest != null
        && HistoryChange.isBeyondMargin(history, newest, margin)) {
      suspected = newest;
    }
    return new MetricTrend(
        history.metric(),
        history.points(),
        history.missing(),
        values.length - lastChange(found) >= ChangePoints.FEWEST_VALUES,
        changes,
        suspected == null
            ? null
            : HistoryChange.of(history, suspected, closed(reference, suspected), margin));
  }

  /** The results at the end of the history that lack the figure; null where the last one has it. */
  public @Nullable MissingStretch end() {
    return missing.isEmpty() || missing.getLast().backAt() != null ? null : missing.getLast();
  }

  /** The place of the last change, or of the first value. */
  private static int lastChange(ChangePoints found) {
    return found.told().isEmpty() ? 0 : found.told().getLast().at();
  }

  /** The level that others are judged against, which the first change after it ends. */
  private static HistoryChange.Level closed(
      HistoryChange.Level reference, ChangePoints.Place place) {
    return reference.from() == reference.to()
        ? new HistoryChange.Level(reference.from(), place.at())
        : reference;
  }
}
