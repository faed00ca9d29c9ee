package org.terrace.cli.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.Metric;
import org.terrace.details.history.MetricHistory;
import org.terrace.details.history.MissingStretch;

/** The figures of a history while they are read, in the order of time. Confined to one thread. */
final class SeriesBuilder {
  /** The most points of a figure. */
  static final int MOST_POINTS = 10_000;

  /** The most figures of a history. */
  static final int MOST_FIGURES = 1_000;

  private final Map<String, Series> series = new LinkedHashMap<>();

  /** The labels of all results that could have a figure, in the order of time, by its group. */
  private final Map<String, Set<String>> results = new HashMap<>();

  private final boolean regular;

  /**
   * A history without points.
   *
   * @param regular whether each result of a group is to have each of its figures; otherwise a
   *     figure is missing where it stays away for longer than ever before
   */
  SeriesBuilder(boolean regular) {
    this.regular = regular;
  }

  private static final class Series {
    private final String group;
    private final Metric metric;
    private final boolean directed;
    private final List<MetricHistory.Point> points = new ArrayList<>();
    private final Set<String> labels = new HashSet<>();

    Series(String group, Metric metric, boolean directed) {
      this.group = group;
      this.metric = metric;
      this.directed = directed;
    }
  }

  /** Adds a result, later than those of its group before it, whichever figures it has. */
  void addResult(String group, String label) {
    results.computeIfAbsent(group, _ -> new LinkedHashSet<>()).add(label);
  }

  /**
   * Adds a point.
   *
   * @param group the group of results that its result is of
   * @param directed whether the metric's direction is known
   * @param where the beginning of a sentence about the place of the value, a colon at its end
   */
  void add(
      String group, Metric metric, boolean directed, String label, double value, String where) {
    Series known =
        series.computeIfAbsent(metric.name(), name -> new Series(group, metric, directed));
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
        .map(each -> new MetricHistory(each.metric, each.directed, each.points, missing(each)))
        .toList();
  }

  private List<MissingStretch> missing(Series figure) {
    List<MissingStretch> missing = new ArrayList<>();
    String first = "";
    int absent = 0;
    int longest = 0;
    int present = 0;
    for (String label : results.getOrDefault(figure.group, Set.of())) {
      if (!figure.labels.contains(label)) {
        first = absent == 0 ? label : first;
        absent += present > 0 ? 1 : 0;
        continue;
      }
      if (isMissing(absent, longest, present)) {
        missing.add(new MissingStretch(first, absent, label));
      }
      longest = Math.max(longest, absent);
      absent = 0;
      present++;
    }
    if (isMissing(absent, longest, present)) {
      missing.add(new MissingStretch(first, absent, null));
    }
    return missing;
  }

  /** Whether a figure is missing from some results, or not due yet as often as it comes. */
  private boolean isMissing(int absent, int longest, int present) {
    return absent > 0 && (regular || (present > 1 && absent > longest));
  }

  private static TerraceException wrong(String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, what);
  }
}
