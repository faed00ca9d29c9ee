package org.terrace.nodes.setting;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Reads a line of Prometheus's text format, or a choice of series that is written like its
 * beginning, from left to right. Confined to one thread.
 */
final class MetricScanner {
  private final String text;
  private int at;

  MetricScanner(String text) {
    this.text = text;
  }

  /** A name and the labels behind it; empty where the text has another form. */
  Optional<MetricSelector> series() {
    String name = name(true);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> labels = new TreeMap<>();
    skipSpaces();
    if (next('{') && !labels(labels)) {
      return Optional.empty();
    }
    skipSpaces();
    return Optional.of(new MetricSelector(name, labels));
  }

  /**
   * The value behind a series; empty unless only the time of the reading and an exemplar follow.
   */
  OptionalDouble value() {
    String value = word();
    skipSpaces();
    int behind = at;
    String time = word();
    skipSpaces();
    boolean timed = !time.isEmpty() && Double.isFinite(number(time));
    if (!timed) {
      at = behind;
    }
    boolean ends = isAtEnd() || text.charAt(at) == '#';
    return value.isEmpty() || !ends ? OptionalDouble.empty() : OptionalDouble.of(number(value));
  }

  boolean isAtEnd() {
    return at == text.length();
  }

  /** Reads what stands between the braces into the labels; false where it is none. */
  private boolean labels(Map<String, String> labels) {
    skipSpaces();
    while (!next('}')) {
      String name = name(false);
      skipSpaces();
      boolean is = next('=');
      skipSpaces();
      if (name.isEmpty() || !is || !next('"')) {
        return false;
      }
      Optional<String> value = quoted();
      if (value.isEmpty()) {
        return false;
      }
      labels.put(name, value.get());
      skipSpaces();
      if (!next(',') && (isAtEnd() || text.charAt(at) != '}')) {
        return false;
      }
      skipSpaces();
    }
    return true;
  }

  /** A value up to the quotation mark that ends it; empty if none does. */
  private Optional<String> quoted() {
    StringBuilder value = new StringBuilder();
    while (!isAtEnd()) {
      char next = text.charAt(at++);
      if (next == '"') {
        return Optional.of(value.toString());
      }
      if (next == '\\' && !isAtEnd()) {
        char escaped = text.charAt(at++);
        next = escaped == 'n' ? '\n' : escaped;
      }
      value.append(next);
    }
    return Optional.empty();
  }

  private String name(boolean colons) {
    int from = at;
    while (!isAtEnd() && isNamePart(text.charAt(at), at > from, colons)) {
      at++;
    }
    return text.substring(from, at);
  }

  private static boolean isNamePart(char next, boolean digits, boolean colons) {
    return (next >= 'a' && next <= 'z')
        || (next >= 'A' && next <= 'Z')
        || next == '_'
        || (colons && next == ':')
        || (digits && next >= '0' && next <= '9');
  }

  private String word() {
    int from = at;
    while (!isAtEnd() && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at);
  }

  private void skipSpaces() {
    while (!isAtEnd() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean next(char wanted) {
    if (isAtEnd() || text.charAt(at) != wanted) {
      return false;
    }
    at++;
    return true;
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
