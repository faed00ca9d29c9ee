package org.terrace.cli.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.Metric;
import org.terrace.details.history.MetricHistory;

/** The figures of a history while they are read, in the order of time. Confined to one thread. */
final class SeriesBuilder {
  /** The most points of a figure. */
  static final int MOST_POINTS = 10_000;

  /** The most figures of a history. */
  static final int MOST_FIGURES = 1_000;

  private final Map<String, Series> series = new LinkedHashMap<>();

  private static final class Series {
    private final Metric metric;
    private final boolean directed;
    private final List<MetricHistory.Point> points = new ArrayList<>();
    private final Set<String> labels = new HashSet<>();

    Series(Metric metric, boolean directed) {
      this.metric = metric;
      this.directed = directed;
    }
  }

  /**
   * Adds a point.
   *
   * @param directed whether the metric's direction is known
   * @param where the beginning of a sentence about the place of the value, a colon at its end
   */
  void add(Metric metric, boolean directed, String label, double value, String where) {
    Series known = series.computeIfAbsent(metric.name(), name -> new Series(metric, directed));
    if (!known.metric.unit().equals(metric.unit())) {
      throw wrong(
          "not comparable: %s '%s' is in '%s' here and in '%s' before; expected one unit for all"
              .formatted(where, metric.name(), metric.unit(), known.metric.unit()));
    }
    if (!known.metric.equals(metric) || known.directed != directed) {
      throw wrong(
          "not comparable: %s '%s' is better in another direction than before"
              .formatted(where, metric.name()));
    }
    if (!Double.isFinite(value)) {
      throw wrong("%s '%s' is %s; expected a finite number".formatted(where, metric.name(), value));
    }
    if (!known.labels.add(label)) {
      throw wrong(
          "%s '%s' has the label '%s' twice; expected one point a label: name it otherwise"
                  .formatted(where, metric.name(), label)
              + " (LABEL=DIR)");
    }
    known.points.add(new MetricHistory.Point(label, value));
    if (known.points.size() > MOST_POINTS || series.size() > MOST_FIGURES) {
      throw wrong(
          "%s a history has at most %d points of %d figures; leave out the oldest"
              .formatted(where, MOST_POINTS, MOST_FIGURES));
    }
  }

  /** The figures, those that decide first. */
  List<MetricHistory> histories() {
    return series.values().stream()
        .sorted((one, other) -> Boolean.compare(other.metric.decides(), one.metric.decides()))
        .map(each -> new MetricHistory(each.metric, each.directed, each.points))
        .toList();
  }

  private static TerraceException wrong(String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, what);
  }
}
