package org.terrace.nodes.setting;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.terrace.nodes.setting.PrometheusText.Figure;

/**
 * A choice of series of a metric: its name, and labels that each of them has, written as in
 * Prometheus, {@code jvm_memory_used_bytes{area="heap"}}. Immutable.
 *
 * @param name the metric's name
 * @param labels the labels that a series must have, beside which it may have others
 */
public record MetricSelector(String name, Map<String, String> labels) {
  /** Copies the labels. */
  public MetricSelector {
    labels = Map.copyOf(labels);
  }

  /** The selector of a text; empty if the text is none. */
  public static Optional<MetricSelector> parse(String text) {
    MetricScanner scanner = new MetricScanner(text.strip());
    return scanner.series().filter(_ -> scanner.isAtEnd());
  }

  /** Whether a figure is of one of the series. */
  public boolean matches(Figure figure) {
    return figure.name().equals(name) && figure.labels().entrySet().containsAll(labels.entrySet());
  }

  /** The text of the selector, its labels in the order of their names. */
  public String text() {
    if (labels.isEmpty()) {
      return name;
    }
    StringBuilder text = new StringBuilder(name);
    char before = '{';
    for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
      text.append(before).append(label.getKey()).append("=\"");
      text.append(escaped(label.getValue())).append('"');
      before = ',';
    }
    return text.append('}').toString();
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
