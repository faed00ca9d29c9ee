package org.terrace.evidence;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a log: local dates with or without the abbreviation of a zone as nanoseconds since
 * the Unix epoch. Abbreviations that mean one offset are known; others, and dates without any, are
 * those of the zone that the user names, or else of this machine, and {@link #words()} says which.
 * Confined to one thread.
 */
final class LogClock {
  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd")
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT);

  /** Hours from UTC of abbreviations that name one zone alone: not CST, IST or BST. */
  private static final Map<String, Integer> HOURS =
      Map.ofEntries(
          Map.entry("UTC", 0),
          Map.entry("GMT", 0),
          Map.entry("Z", 0),
          Map.entry("WET", 0),
          Map.entry("WEST", 1),
          Map.entry("CET", 1),
          Map.entry("CEST", 2),
          Map.entry("EET", 2),
          Map.entry("EEST", 3),
          Map.entry("MSK", 3),
          Map.entry("JST", 9),
          Map.entry("KST", 9),
          Map.entry("AEST", 10),
          Map.entry("AEDT", 11),
          Map.entry("NZST", 12),
          Map.entry("NZDT", 13),
          Map.entry("EST", -5),
          Map.entry("EDT", -4),
          Map.entry("CDT", -5),
          Map.entry("MST", -7),
          Map.entry("MDT", -6),
          Map.entry("PST", -8),
          Map.entry("PDT", -7));

  private static final int MOST_NAMES = 4;

  private final @Nullable ZoneId named;
  private final Set<String> seen = new LinkedHashSet<>();
  private boolean assumed;

  /**
   * @param named the zone of dates that do not tell theirs; null for this machine's
   */
  LogClock(@Nullable ZoneId named) {
    this.named = named;
  }

  /**
   * A date as nanoseconds since the Unix epoch; null if it is none.
   *
   * @param date for example {@code 2026-11-22 10:15:01.512}
   * @param zone an abbreviation, an offset such as {@code +05:30}, or null where the log tells none
   * @throws DateTimeException if the abbreviation means several zones and the user names none
   */
  @Nullable Long epochNanos(String date, @Nullable String zone) {
    LocalDateTime local;
    try {
      local = LocalDateTime.parse(date, DATE);
    } catch (DateTimeException e) {
      return null;
    }
    ZoneOffset offset = zone == null ? null : offset(zone);
    if (offset != null) {
      note(zone + " (" + name(offset) + ")");
    } else if (zone != null && named == null) {
      throw new DateTimeException(
          "the zone '"
              + zone
              + "' means several; name the right one, for example --events-zone Europe/Berlin");
    } else {
      ZoneId from = named == null ? ZoneId.systemDefault() : named;
      offset = local.atZone(from).getOffset();
      assumed |= named == null;
      note(from + " (" + name(offset) + ")");
    }
    try {
      return ChronoUnit.NANOS.between(Instant.EPOCH, local.toInstant(offset));
    } catch (ArithmeticException e) {
      return null; // beyond the years that nanoseconds count
    }
  }

  private void note(String zone) {
    if (seen.size() < MOST_NAMES) {
      seen.add(zone);
    }
  }

  private static String name(ZoneOffset offset) {
    return offset.equals(ZoneOffset.UTC) ? "UTC" : "UTC" + offset.getId();
  }

  private static @Nullable ZoneOffset offset(String zone) {
    Integer hours = HOURS.get(zone.toUpperCase(Locale.ROOT));
    if (hours != null) {
      return ZoneOffset.ofHours(hours);
    }
    try {
      return zone.startsWith("+") || zone.startsWith("-") ? ZoneOffset.of(zone) : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The zones that dates were read in, in a few words. */
  String words() {
    return seen.isEmpty() ? "no dates" : "times in " + String.join(", ", seen);
  }

  /** Whether this machine's zone was taken because nothing told another. */
  boolean isAssumed() {
    return assumed;
  }
}
