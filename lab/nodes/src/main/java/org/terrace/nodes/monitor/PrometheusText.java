package org.terrace.nodes.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Figures in Prometheus's text format (version 0.0.4): a line {@code name{label="value",...}
 * figure} each. Comments, and lines that are not of this form, are passed over. Stateless.
 */
public final class PrometheusText {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String VALUE = "\"((?:[^\"\\\\]|\\\\.)*)\"";
  private static final Pattern LABEL =
      Pattern.compile("\\s*(" + NAME + ")\\s*=\\s*" + VALUE + "\\s*,?");
  private static final Pattern LINE =
      Pattern.compile("(" + NAME + ")\\s*(?:\\{(.*)\\})?\\s+(\\S+)(?:\\s+-?\\d+)?\\s*");

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
    List<Figure> figures = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      Matcher matcher = LINE.matcher(line.strip());
      if (matcher.matches()) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(matcher.group(2) == null ? "" : matcher.group(2));
        while (label.find()) {
          labels.put(label.group(1), unescaped(label.group(2)));
        }
        double value = number(matcher.group(3));
        figures.add(new Figure(matcher.group(1), labels, value));
      }
    }
    return figures;
  }

  private static String unescaped(String text) {
    return text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          yield Double.NaN;
        }
      }
    };
  }
}
