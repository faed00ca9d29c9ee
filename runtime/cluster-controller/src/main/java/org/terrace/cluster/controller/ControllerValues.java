package org.terrace.cluster.controller;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** The bytes of values: a letter for the type, then the value. Stateless. */
final class ControllerValues {
  private ControllerValues() {}

  /** Whether a value can be sent as it is. */
  static boolean isWritable(@Nullable Object value) {
    return value == null || letter(value) != 0;
  }

  private static int letter(Object value) {
    return switch (value) {
      case String _ -> 's';
      case Boolean _ -> 'b';
      case Short _, Integer _ -> '4';
      case Long _ -> '8';
      case Float _, Double _ -> 'd';
      case BigDecimal _ -> 'n';
      case byte[] _ -> 'x';
      case UUID _ -> 'u';
      case Timestamp _ -> 't';
      case Date _, LocalDate _ -> 'D';
      case LocalDateTime _ -> 'L';
      case OffsetDateTime _ -> 'O';
      default -> 0;
    };
  }

  static void write(Encoder out, @Nullable Object value) {
    if (value == null) {
      out.putByte('0');
      return;
    }
    out.putByte(letter(value));
    switch (value) {
      case Boolean flag -> out.putByte(flag ? 1 : 0);
      case Float number -> out.putFixedLong(Double.doubleToRawLongBits(number));
      case Double number -> out.putFixedLong(Double.doubleToRawLongBits(number));
      case Short number -> out.putSigned(number);
      case Integer number -> out.putSigned(number);
      case Long number -> out.putSigned(number);
      case byte[] bytes -> out.putBytes(bytes);
      case Timestamp moment -> {
        out.putSigned(moment.getTime());
        out.putUnsigned(moment.getNanos());
      }
      case Date day -> out.putString(day.toLocalDate().toString());
      default -> out.putString(value.toString());
    }
  }

  /** The next value; {@link MalformedDataException} whatever is wrong with its bytes. */
  static @Nullable Object read(Decoder in) {
    int letter = in.getByte();
    try {
      return read(letter, in);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new MalformedDataException(
          "a value of the type '" + (char) letter + "' that is none: " + e.getMessage());
    }
  }

  private static @Nullable Object read(int letter, Decoder in) {
    return switch (letter) {
      case '0' -> null;
      case 's' -> in.getString();
      case 'b' -> in.getByte() != 0;
      case '4' -> (int) in.getSigned();
      case '8' -> in.getSigned();
      case 'd' -> Double.longBitsToDouble(in.getFixedLong());
      case 'n' -> new BigDecimal(in.getString());
      case 'x' -> in.getBytes();
      case 'u' -> UUID.fromString(in.getString());
      case 't' -> {
        Timestamp moment = new Timestamp(in.getSigned());
        moment.setNanos((int) in.getUnsigned());
        yield moment;
      }
      case 'D' -> LocalDate.parse(in.getString());
      case 'L' -> LocalDateTime.parse(in.getString());
      case 'O' -> OffsetDateTime.parse(in.getString());
      default ->
          throw new MalformedDataException("a value of the unknown type '" + (char) letter + "'");
    };
  }
}
