package org.terrace.details.history;

import java.util.List;
import org.terrace.details.comparison.Metric;

/**
 * A figure of each result of a history, in the order of time. Immutable.
 *
 * @param metric what it is
 * @param directed whether it is known which way it gets better; otherwise the metric's direction
 *     says nothing, and a change can only be told
 * @param points the results that have it
 * @param missing the results between them and after them that lack it, in the order of time
 */
public record MetricHistory(
    Metric metric, boolean directed, List<Point> points, List<MissingStretch> missing) {
  /** Copies the lists. */
  public MetricHistory {
    points = List.copyOf(points);
    missing = List.copyOf(missing);
  }

  /** A figure that each result has. */
  public MetricHistory(Metric metric, boolean directed, List<Point> points) {
    this(metric, directed, points, List.of());
  }

  /**
   * A value of the figure.
   *
   * @param label the result that it is of, which no other point of this figure is of
   * @param value a finite number, in the metric's unit
   */
  public record Point(String label, double value) {}
}
