package org.terrace.evidence;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of a JVM's unified log: what it carries in brackets, and what it says. Immutable.
 *
 * @param decorations what the brackets hold, in their order
 * @param message the rest
 */
record PauseLogLine(List<String> decorations, String message) {
  private static final Pattern DECORATION = Pattern.compile("\\[([^\\]]*)\\]");
  private static final Pattern MONOTONIC = Pattern.compile("(\\d{1,18})ns");
  private static final Pattern MILLIS = Pattern.compile("(\\d{1,15})ms");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxx", Locale.ROOT);

  /**
   * More milliseconds than a JVM runs and fewer than any date of one since the Unix epoch: 2001.
   */
  private static final long EARLIEST_EPOCH_MILLIS = 1_000_000_000_000L;

  PauseLogLine {
    decorations = List.copyOf(decorations);
  }

  /** The parts of a line; null if it begins with no bracket. */
  static @Nullable PauseLogLine parse(String line) {
    List<String> decorations = new ArrayList<>();
    Matcher next = DECORATION.matcher(line);
    int end = 0;
    while (next.region(end, line.length()).lookingAt()) {
      decorations.add(next.group(1).strip());
      end = next.end();
    }
    return decorations.isEmpty()
        ? null
        : new PauseLogLine(decorations, line.substring(end).strip());
  }

  /**
   * The time at which it was written, in nanoseconds since the Unix epoch; null if it does not
   * tell.
   *
   * @param clock what puts the monotonic clock's nanoseconds on the wall clock, null to pass them
   *     over
   */
  @Nullable Long epochNanos(@Nullable MonotonicClock clock) {
    for (String decoration : decorations) {
      Matcher monotonic = MONOTONIC.matcher(decoration);
      Matcher millis = MILLIS.matcher(decoration);
      if (clock != null && monotonic.matches()) {
        return clock.toEpochNanos(Long.parseLong(monotonic.group(1)));
      }
      if (millis.matches() && Long.parseLong(millis.group(1)) >= EARLIEST_EPOCH_MILLIS) {
        return nanos(Instant.ofEpochMilli(Long.parseLong(millis.group(1))));
      }
      Long date = date(decoration);
      if (date != null) {
        return date;
      }
    }
    return null;
  }

  private static @Nullable Long date(String decoration) {
    try {
      return nanos(OffsetDateTime.parse(decoration, DATE).toInstant());
    } catch (DateTimeException | ArithmeticException e) {
      return null; // another decoration, such as the level or a tag
    }
  }

  private static long nanos(Instant instant) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, instant);
  }
}
