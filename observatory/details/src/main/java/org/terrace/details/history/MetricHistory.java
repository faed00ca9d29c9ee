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
 */
public record MetricHistory(Metric metric, boolean directed, List<Point> points) {
  /** Copies the list. */
  public MetricHistory {
    points = List.copyOf(points);
  }

  /**
   * A value of the figure.
   *
   * @param label the result that it is of, which no other point of this figure is of
   * @param value a finite number, in the metric's unit
   */
  public record Point(String label, double value) {}
}
