package org.terrace.analysis.threshold;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition under which a result has failed, such as {@code users p99 > 200ms} or {@code app1
 * stalled > 50ms}: a figure, a comparison, and a limit with its unit. Immutable.
 *
 * @param text the condition as it was written
 * @param figure the figure's name
 * @param comparison how it is compared
 * @param limit the limit, in the unit
 * @param unit {@code ms}, {@code %} or {@code /s}
 */
public record Threshold(
    String text, String figure, Comparison comparison, double limit, String unit) {
  /** The form of a condition, for messages. */
  public static final String FORM =
      "FIGURE > LIMIT or FIGURE < LIMIT, such as 'users p99 > 200ms', 'users errors > 1%',"
          + " 'app1 stalled > 50ms', 'db1 throughput < 100/s'";

  private static final Pattern CONDITION =
      Pattern.compile(
          "\\s*(\\S+) +(p50|p99|errors|throughput|stalled)\\s*(>=|<=|>|<)\\s*"
              + "(\\d{1,12}(?:\\.\\d{1,9})?) *(us|ms|s|%|/s)\\s*");
  private static final Map<String, List<String>> UNITS =
      Map.of(
          "p50", List.of("us", "ms", "s"),
          "p99", List.of("us", "ms", "s"),
          "stalled", List.of("us", "ms", "s"),
          "errors", List.of("%"),
          "throughput", List.of("/s"));

  /** The comparison of a figure with its limit. */
  public enum Comparison {
    /** A figure above the limit fails. */
    ABOVE(">"),
    /** The limit, or more, fails. */
    AT_LEAST(">="),
    /** A figure below the limit fails. */
    BELOW("<"),
    /** The limit, or less, fails. */
    AT_MOST("<=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    private boolean holds(double value, double limit) {
      return switch (this) {
        case ABOVE -> value > limit;
        case AT_LEAST -> value >= limit;
        case BELOW -> value < limit;
        case AT_MOST -> value <= limit;
      };
    }

    private static Comparison of(String sign) {
      for (Comparison comparison : values()) {
        if (comparison.sign.equals(sign)) {
          return comparison;
        }
      }
      throw new IllegalArgumentException(sign);
    }
  }

  /**
   * A threshold and what became of it. Immutable.
   *
   * @param condition the condition as it was written
   * @param value the figure, in the condition's base unit; null where it was not measured
   * @param failed whether the result has failed: the condition holds, or cannot be judged
   * @param detail a sentence
   */
  public record Judgement(
      String condition, @Nullable Double value, boolean failed, String detail) {}

  /**
   * Reads a condition.
   *
   * @throws IllegalArgumentException if it is none; the message says what was expected
   */
  public static Threshold parse(String text) {
    Matcher matcher = CONDITION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is no condition; expected " + FORM);
    }
    String quantity = matcher.group(2);
    String unit = matcher.group(5);
    List<String> units = Objects.requireNonNull(UNITS.get(quantity));
    if (!units.contains(unit)) {
      throw new IllegalArgumentException(
          "'" + text + "' compares " + quantity + " with " + unit + "; expected one of " + units);
    }
    double factor =
        switch (unit) {
          case "us" -> 1e-3;
          case "s" -> 1e3;
          default -> 1;
        };
    return new Threshold(
        text.strip(),
        matcher.group(1) + " " + quantity,
        Comparison.of(matcher.group(3)),
        Double.parseDouble(matcher.group(4)) * factor,
        units.size() == 1 ? unit : "ms");
  }

  /**
   * Judges a result. A figure that was not measured fails: nobody knows that it is good.
   *
   * @param figures the result's figures by their names: times in milliseconds, shares in per cent,
   *     rates a second
   */
  public Judgement judge(Map<String, Double> figures) {
    Double value = figures.get(figure);
    if (value == null) {
      return new Judgement(
          text,
          null,
          true,
          "cannot be judged: there is no figure '"
              + figure
              + "'; there are "
              + String.join(", ", figures.keySet()));
    }
    boolean failed = comparison.holds(value, limit);
    return new Judgement(
        text,
        value,
        failed,
        String.format(Locale.ROOT, "%s is %.4g %s", figure, value, unit).strip());
  }
}
