package org.terrace.cluster.jdbc.recovery;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
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
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** The bytes of parameters' values: a letter for the type, then the value. */
final class ValueCodec {
  /** No array has more elements. */
  private static final int ELEMENTS_MAX = 1 << 24;

  private ValueCodec() {}

  /** Whether a value can be written. */
  static boolean isWritable(@Nullable Object value) {
    return value == null || letter(value) != 0;
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
      case Timestamp _ -> 'S';
      case Date _ -> 'D';
      case Time _ -> 'T';
      case LocalDate _, LocalTime _, LocalDateTime _ -> 'l';
      case OffsetDateTime _, OffsetTime _, ZonedDateTime _, Instant _ -> 'o';
      case BoundParameter.Elements array -> allWritable(array.elements()) ? 'a' : 0;
      case Object[] array -> allWritable(array) ? 'A' : 0;
      default -> 0;
    };
  }

  private static boolean allWritable(Object[] elements) {
    for (Object element : elements) {
      if (!isWritable(element)) {
        return false;
      }
    }
    return true;
  }

  static void write(Encoder out, @Nullable Object value) {
    if (value == null) {
      out.putByte('0');
      return;
    }
    out.putByte(letter(value));
    switch (value) {
      case Boolean flag -> out.putByte(flag ? 1 : 0);
      case Byte number -> out.putSigned(number);
      case Short number -> out.putSigned(number);
      case Integer number -> out.putSigned(number);
      case Long number -> out.putSigned(number);
      case Float number -> out.putFixedLong(Float.floatToRawIntBits(number));
      case Double number -> out.putFixedLong(Double.doubleToRawLongBits(number));
      case byte[] bytes -> out.putBytes(bytes);
      case Timestamp moment -> {
        out.putSigned(moment.getTime());
        out.putUnsigned(moment.getNanos());
      }
      case Date day -> out.putSigned(day.getTime());
      case Time time -> out.putSigned(time.getTime());
      case LocalDate _, LocalTime _, LocalDateTime _, OffsetDateTime _, OffsetTime _ ->
          named(out, value);
      case ZonedDateTime _, Instant _ -> named(out, value);
      case BoundParameter.Elements array -> {
        out.putString(array.typeName());
        elements(out, array.elements());
      }
      case Object[] array -> elements(out, array);
      default -> out.putString(value.toString());
    }
  }

  private static void named(Encoder out, Object value) {
    out.putString(value.getClass().getSimpleName());
    out.putString(value.toString());
  }

  private static void elements(Encoder out, Object[] elements) {
    out.putUnsigned(elements.length);
    for (Object element : elements) {
      write(out, element);
    }
  }

  static @Nullable Object read(Decoder in) {
    int letter = in.getByte();
    return switch (letter) {
      case '0' -> null;
      case 's' -> in.getString();
      case 'c' -> in.getString().charAt(0);
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
      case 'S' -> {
        Timestamp moment = new Timestamp(in.getSigned());
        moment.setNanos((int) in.getUnsigned());
        yield moment;
      }
      case 'D' -> new Date(in.getSigned());
      case 'T' -> new Time(in.getSigned());
      case 'l', 'o' -> time(in.getString(), in.getString());
      case 'a' -> new BoundParameter.Elements(in.getString(), elements(in));
      case 'A' -> elements(in);
      default ->
          throw new MalformedDataException("a value of the unknown type '" + (char) letter + "'");
    };
  }

  private static Object time(String type, String text) {
    return switch (type) {
      case "LocalDate" -> LocalDate.parse(text);
      case "LocalTime" -> LocalTime.parse(text);
      case "LocalDateTime" -> LocalDateTime.parse(text);
      case "OffsetDateTime" -> OffsetDateTime.parse(text);
      case "OffsetTime" -> OffsetTime.parse(text);
      case "ZonedDateTime" -> ZonedDateTime.parse(text);
      case "Instant" -> Instant.parse(text);
      default -> throw new MalformedDataException("a moment of the unknown type " + type);
    };
  }

  private static Object[] elements(Decoder in) {
    int count = in.getCount(ELEMENTS_MAX);
    List<@Nullable Object> elements = new ArrayList<>(Math.min(count, in.remaining()));
    for (int i = 0; i < count; i++) {
      elements.add(read(in));
    }
    return elements.toArray();
  }
}
