package org.terrace.load.mix;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** Durations as people write them in plans and tables: {@code 7s}, {@code 500ms}, {@code 8m}. */
public final class Spans {
  private static final Pattern SPAN =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|ms|s|m|h)");
  private static final double NANOS_A_SECOND = 1e9;

  private Spans() {}

  /** The duration a text stands for; {@code 0} needs no unit. */
  public static Duration parse(String text) {
    String trimmed = text.strip();
    if (trimmed.equals("0")) {
      return Duration.ZERO;
    }
    Matcher matcher = SPAN.matcher(trimmed);
    if (!matcher.matches()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "'" + text + "' is not a duration: write a number and a unit (ms, s, m, h), as in 7s.");
    }
    double nanos =
        switch (matcher.group(2)) {
          case "ns" -> 1;
          case "us" -> 1e3;
          case "ms" -> 1e6;
          case "m" -> 60 * NANOS_A_SECOND;
          case "h" -> 3600 * NANOS_A_SECOND;
          default -> NANOS_A_SECOND;
        };
    return Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * nanos));
  }

  /** The shortest text that {@link #parse} reads back as the same duration. */
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0";
    }
    if (nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + "s";
    }
    return nanos % 1_000_000 == 0 ? nanos / 1_000_000 + "ms" : nanos + "ns";
  }
}
