package org.terrace.nodes.setting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Figures in Prometheus's text format (version 0.0.4, and as far as it is alike OpenMetrics): a
 * line {@code name{label="value",...} figure} each. Lines that are not of this form are passed
 * over. Stateless.
 */
public final class PrometheusText {
  private static final String COUNTER = "counter";
  private static final String TOTAL = "_total";

  /** The types that are told as several metrics, of which these endings only grow. */
  private static final Set<String> DISTRIBUTIONS = Set.of("summary", "histogram");

  private static final List<String> GROWING_PARTS = List.of("_count", "_sum", "_bucket");

  private PrometheusText() {}

  /**
   * One figure. Immutable.
   *
   * @param name its name
   * @param labels its labels by name
   * @param value its value, which may be infinite or no number
   */
  public record Figure(String name, Map<String, String> labels, double value) {
    /** Copies the labels. */
    public Figure {
      labels = Map.copyOf(labels);
    }
  }

  /** All figures of a text, in its order. */
  public static List<Figure> parse(String text) {
    return parse(text, _ -> true);
  }

  /** The figures of a text that have the wanted names, in its order. */
  public static List<Figure> parse(String text, Predicate<String> wanted) {
    List<Figure> figures = new ArrayList<>();
    text.lines()
        .map(String::strip)
        .filter(line -> wanted.test(firstName(line)))
        .forEach(line -> {
          MetricScanner scanner = new MetricScanner(line);
          scanner
              .series()
              .ifPresent(series ->
                  scanner
                      .value()
                      .ifPresent(
                          value -> figures.add(new Figure(series.name(), series.labels(), value))));
        });
    return figures;
  }

  private static String firstName(String line) {
    int end = 0;
    while (end < line.length() && line.charAt(end) != '{' && line.charAt(end) > ' ') {
      end++;
    }
    return line.substring(0, end);
  }

  /** Whether a metric only grows: by what the text says of its type, else by its name. */
  public static Predicate<String> counters(String text) {
    Map<String, String> types = new HashMap<>();
    text.lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.split("\\s+", 5))
        .filter(words -> words.length >= 4)
        .forEach(words -> types.put(words[2], words[3]));
    return name -> {
      String type = types.get(name);
      if (type != null) {
        return COUNTER.equals(type);
      }
      // OpenMetrics names the type without the ending, and some name no type.
      return (name.endsWith(TOTAL)
              && COUNTER.equals(types.getOrDefault(without(TOTAL, name), COUNTER)))
          || GROWING_PARTS.stream()
              .anyMatch(part ->
                  name.endsWith(part)
                      && DISTRIBUTIONS.contains(types.getOrDefault(without(part, name), "")));
    };
  }

  private static String without(String ending, String name) {
    return name.substring(0, name.length() - ending.length());
  }
}
