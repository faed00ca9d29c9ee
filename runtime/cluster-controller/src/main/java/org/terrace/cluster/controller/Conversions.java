package org.terrace.cluster.controller;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.controller.ControllerValues.Shown;

/** The conversions of a result's values into the types that a program asks for. Stateless. */
final class Conversions {
  private Conversions() {}

  /** The value without the text that goes with it. */
  static @Nullable Object plain(@Nullable Object value) {
    return value instanceof Shown shown ? shown.value() : value;
  }

  static String text(Object value) {
    return switch (value) {
      case Shown shown -> shown.text();
      case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
      default -> value.toString();
    };
  }

  /** A value as an object of a type. */
  static @Nullable Object to(@Nullable Object given, Class<?> type) throws SQLException {
    Object value = plain(given);
    if (given == null || value == null) {
      return null;
    }
    if (type.isInstance(value)) {
      return value;
    }
    try {
      return switch (type.getSimpleName()) {
        case "String" -> text(given);
        case "Integer" -> integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE).intValue();
        case "Long" -> integer(value, Long.MIN_VALUE, Long.MAX_VALUE).longValue();
        case "Short" -> integer(value, Short.MIN_VALUE, Short.MAX_VALUE).shortValue();
        case "Byte" -> integer(value, Byte.MIN_VALUE, Byte.MAX_VALUE).byteValue();
        case "Double" -> Double.valueOf(number(value));
        case "Float" -> Float.valueOf(number(value));
        case "BigDecimal" -> new BigDecimal(number(value));
        case "BigInteger" -> new BigDecimal(number(value)).toBigInteger();
        case "Boolean" -> isTrue(value);
        case "byte[]" -> text(given).getBytes(StandardCharsets.UTF_8);
        case "UUID" -> UUID.fromString(text(given));
        default -> moment(given, value, type);
      };
    } catch (NumberFormatException e) {
      throw new SQLException(
          "'%s' is no %s.".formatted(text(given), type.getSimpleName()), "22018", e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new SQLException(
          "'%s' is no %s.".formatted(text(given), type.getSimpleName()), "22007", e);
    }
  }

  private static BigInteger integer(Object value, long least, long most) throws SQLException {
    BigInteger number = new BigDecimal(number(value)).toBigInteger();
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(most)) > 0) {
      throw new SQLException(
          "%s is not between %d and %d.".formatted(number, least, most), "22003");
    }
    return number;
  }

  private static String number(Object value) {
    return value instanceof Boolean flag ? (flag ? "1" : "0") : value.toString().strip();
  }

  private static boolean isTrue(Object value) throws SQLException {
    if (value instanceof Number number) {
      return number.doubleValue() != 0;
    }
    return switch (value.toString().strip().toLowerCase(Locale.ROOT)) {
      case "t", "true", "1", "y", "yes", "on" -> true;
      case "f", "false", "0", "n", "no", "off" -> false;
      default ->
          throw new SQLException("'%s' is neither true nor false.".formatted(value), "22018");
    };
  }

  private static Object moment(Object given, Object value, Class<?> type) throws SQLException {
    return switch (type.getSimpleName()) {
      case "LocalDate" ->
          value instanceof Date day
                  && given instanceof Shown shown
                  && !ControllerValues.isUsual(day)
              ? farDay(shown.text())
              : local(value, type).toLocalDate();
      case "LocalDateTime" -> local(value, type);
      case "LocalTime" ->
          value instanceof Time time ? time(time) : local(value, type).toLocalTime();
      case "Date" -> Date.valueOf(local(value, type).toLocalDate());
      case "Time" -> Time.valueOf(local(value, type).toLocalTime());
      case "Timestamp" ->
          value instanceof OffsetDateTime moment
              ? Timestamp.from(moment.toInstant())
              : Timestamp.valueOf(local(value, type));
      case "Instant" -> instant(value, type);
      case "OffsetDateTime" -> instant(value, type).atOffset(ZoneOffset.UTC);
      case "ZonedDateTime" -> instant(value, type).atZone(ZoneOffset.UTC);
      case "OffsetTime" -> OffsetTime.parse(value.toString());
      default -> throw cannot(value, type);
    };
  }

  /** A day before the first year or after the last of four digits, or none, in a server's words. */
  private static LocalDate farDay(String text) {
    if (text.endsWith("infinity")) {
      return text.startsWith("-") ? LocalDate.MIN : LocalDate.MAX;
    }
    if (text.endsWith(" BC")) {
      String[] parts = text.substring(0, text.length() - 3).split("-", -1);
      int month = Integer.parseInt(parts[1]);
      return LocalDate.of(1 - Integer.parseInt(parts[0]), month, Integer.parseInt(parts[2]));
    }
    return LocalDate.parse(text.indexOf('-') > 4 ? "+" + text : text);
  }

  private static LocalTime time(Time time) {
    return Instant.ofEpochMilli(time.getTime()).atZone(ZoneId.systemDefault()).toLocalTime();
  }

  private static LocalDateTime local(Object value, Class<?> type) throws SQLException {
    return switch (value) {
      case Timestamp moment -> moment.toLocalDateTime();
      case LocalDateTime moment -> moment;
      case OffsetDateTime moment ->
          moment.atZoneSameInstant(ZoneId.systemDefault()).toLocalDateTime();
      case Date day -> day.toLocalDate().atStartOfDay();
      case LocalDate day -> day.atStartOfDay();
      case Time time -> LocalDate.EPOCH.atTime(time(time));
      case LocalTime time -> LocalDate.EPOCH.atTime(time);
      case String text when text.contains(":") && text.contains("-") ->
          Timestamp.valueOf(text).toLocalDateTime();
      case String text when text.contains(":") -> LocalDate.EPOCH.atTime(LocalTime.parse(text));
      case String text -> LocalDate.parse(text).atStartOfDay();
      default -> throw cannot(value, type);
    };
  }

  private static Instant instant(Object value, Class<?> type) throws SQLException {
    return switch (value) {
      case Timestamp moment -> moment.toInstant();
      case OffsetDateTime moment -> moment.toInstant();
      case String text -> OffsetDateTime.parse(text).toInstant();
      default -> throw cannot(value, type);
    };
  }

  private static SQLException cannot(Object value, Class<?> type) {
    return new SQLException(
        "A %s is not given as %s.".formatted(value.getClass().getSimpleName(), type.getName()),
        "0A000");
  }
}
