package org.terrace.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.terrace.analysis.study.Figure;

/** The heights at which stacked bars begin; each stands on those of the series before. */
final class StackedBars {
  private final Map<Double, Double> tops = new HashMap<>();

  /** The height at which the next bar at a place begins; its own is then added. */
  double stack(Figure.Point point) {
    double base = tops.getOrDefault(point.x(), 0.0);
    tops.put(point.x(), base + point.y());
    return base;
  }

  /** The full heights of all stacks. */
  static DoubleStream tops(List<Figure.Series> series) {
    StackedBars stacks = new StackedBars();
    series.stream()
        .filter(each -> each.kind() == Figure.Kind.STACKED_BARS)
        .flatMap(each -> each.points().stream())
        .forEach(stacks::stack);
    return stacks.tops.values().stream().mapToDouble(Double::doubleValue);
  }
}
