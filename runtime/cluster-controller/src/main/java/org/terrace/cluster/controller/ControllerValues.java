package org.terrace.cluster.controller;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** The bytes of values: a letter for the type, then the value. Stateless. */
final class ControllerValues {
  private static final int ELEMENTS_MAX = 1 << 24;
  private static final int DEPTH_MAX = 8;

  // Some days within the years 1 and 9999, whatever the zone and the calendar.
  private static final long FIRST_USUAL_MILLIS = LocalDate.of(1, 1, 10).toEpochDay() * 86_400_000;
  private static final long LAST_USUAL_MILLIS =
      LocalDate.of(9_999, 12, 20).toEpochDay() * 86_400_000;

  private ControllerValues() {}

  /** An array of a type that the server names. */
  record Elements(String type, Object[] elements) {
    @Override
    public String toString() {
      return type + "[]";
    }
  }

  /** A value with the text that the real driver has for it. */
  record Shown(Object value, String text) {}

  /** Whether a value can be sent as it is. */
  static boolean isWritable(@Nullable Object value) {
    return isWritable(value, 0);
  }

  private static boolean isWritable(@Nullable Object value, int depth) {
    return switch (value) {
      case null -> true;
      case Elements array -> isWritable(array.elements, depth);
      case Object[] array -> {
        for (Object one : array) {
          if (depth >= DEPTH_MAX || !isWritable(one, depth + 1)) {
            yield false;
          }
        }
        yield true;
      }
      default -> letter(value) != 0;
    };
  }

  private static int letter(Object value) {
    return switch (value) {
      case String _ -> 's';
      case Character _ -> 'c';
      case Boolean _ -> 'b';
      case Byte _ -> '1';
      case Short _ -> '2';
      case Integer _ -> '4';
      case Long _ -> '8';
      case Float _ -> 'f';
      case Double _ -> 'd';
      case BigDecimal _ -> 'n';
      case BigInteger _ -> 'i';
      case byte[] _ -> 'x';
      case UUID _ -> 'u';
      case Timestamp _ -> 't';
      case Date day -> isUsual(day) ? 'D' : 'E';
      case Time _ -> 'T';
      case LocalDate _ -> 'l';
      case LocalTime _ -> 'h';
      case LocalDateTime _ -> 'L';
      case OffsetDateTime _ -> 'O';
      case OffsetTime _ -> 'o';
      case ZonedDateTime _ -> 'z';
      case Instant _ -> 'I';
      case Elements _ -> 'a';
      case Object[] _ -> 'A';
      case Shown _ -> 'v';
      default -> 0;
    };
  }

  /**
   * Whether a day's own text tells it whole: neither the era nor a fifth digit of years is in it.
   */
  static boolean isUsual(Date day) {
    return day.getTime() > FIRST_USUAL_MILLIS && day.getTime() < LAST_USUAL_MILLIS;
  }

  static void write(Encoder out, @Nullable Object value) {
    if (value == null) {
      out.putByte('0');
      return;
    }
    out.putByte(letter(value));
    switch (value) {
      case Boolean flag -> out.putByte(flag ? 1 : 0);
      case Float number -> out.putFixedLong(Float.floatToRawIntBits(number));
      case Double number -> out.putFixedLong(Double.doubleToRawLongBits(number));
      case Byte number -> out.putSigned(number);
      case Short number -> out.putSigned(number);
      case Integer number -> out.putSigned(number);
      case Long number -> out.putSigned(number);
      case byte[] bytes -> out.putBytes(bytes);
      case Timestamp moment -> {
        out.putSigned(moment.getTime());
        out.putUnsigned(moment.getNanos());
      }
      case Time time -> out.putSigned(time.getTime());
      case Date day when !isUsual(day) -> out.putSigned(day.getTime());
      case Elements array -> {
        out.putString(array.type);
        elements(out, array.elements);
      }
      case Object[] array -> elements(out, array);
      case Shown shown -> {
        write(out, shown.value);
        out.putString(shown.text);
      }
      default -> out.putString(value.toString());
    }
  }

  private static void elements(Encoder out, Object[] elements) {
    out.putUnsigned(elements.length);
    for (Object element : elements) {
      write(out, element);
    }
  }

  /** The next value; {@link MalformedDataException} whatever is wrong with its bytes. */
  static @Nullable Object read(Decoder in) {
    return read(in, 0);
  }

  private static @Nullable Object read(Decoder in, int depth) {
    int letter = in.getByte();
    if (depth > DEPTH_MAX + 1) {
      throw new MalformedDataException("arrays in arrays beyond " + DEPTH_MAX);
    }
    try {
      return switch (letter) {
        case 'a' -> new Elements(in.getString(), elements(in, depth));
        case 'A' -> elements(in, depth);
        case 'v' -> {
          Object value = read(in, depth + 1);
          String text = in.getString();
          yield value == null ? text : new Shown(value, text);
        }
        default -> plain(letter, in);
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new MalformedDataException(
          "a value of the type '" + (char) letter + "' that is none: " + e.getMessage());
    }
  }

  private static Object[] elements(Decoder in, int depth) {
    int count = in.getCount(Math.min(ELEMENTS_MAX, in.remaining()));
    List<@Nullable Object> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add(read(in, depth + 1));
    }
    return elements.toArray();
  }

  private static @Nullable Object plain(int letter, Decoder in) {
    return switch (letter) {
      case '0' -> null;
      case 's' -> in.getString();
      case 'c' -> {
        String text = in.getString();
        if (text.length() != 1) {
          throw new MalformedDataException("a character of " + text.length());
        }
        yield text.charAt(0);
      }
      case 'b' -> in.getByte() != 0;
      case '1' -> (byte) in.getSigned();
      case '2' -> (short) in.getSigned();
      case '4' -> (int) in.getSigned();
      case '8' -> in.getSigned();
      case 'f' -> Float.intBitsToFloat((int) in.getFixedLong());
      case 'd' -> Double.longBitsToDouble(in.getFixedLong());
      case 'n' -> new BigDecimal(in.getString());
      case 'i' -> new BigInteger(in.getString());
      case 'x' -> in.getBytes();
      case 'u' -> UUID.fromString(in.getString());
      default -> moment(letter, in);
    };
  }

  private static Object moment(int letter, Decoder in) {
    return switch (letter) {
      case 't' -> {
        Timestamp moment = new Timestamp(in.getSigned());
        moment.setNanos((int) in.getUnsigned());
        yield moment;
      }
      case 'D' -> Date.valueOf(in.getString());
      case 'E' -> new Date(in.getSigned());
      case 'T' -> new Time(in.getSigned());
      case 'l' -> LocalDate.parse(in.getString());
      case 'h' -> LocalTime.parse(in.getString());
      case 'L' -> LocalDateTime.parse(in.getString());
      case 'O' -> OffsetDateTime.parse(in.getString());
      case 'o' -> OffsetTime.parse(in.getString());
      case 'z' -> ZonedDateTime.parse(in.getString());
      case 'I' -> Instant.parse(in.getString());
      default ->
          throw new MalformedDataException("a value of the unknown type '" + (char) letter + "'");
    };
  }
}
