package org.terrace.cluster.controller;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Encoder;

/** The values of a prepared statement's parameters, until it is sent. Confined to one thread. */
final class ControllerParameters {
  private static final int PLACES_MAX = 65_535;
  private static final String BAD_PARAMETER = "07001";

  /** The types of nulls, by the methods that say no type. */
  private static final Map<String, Integer> TYPES =
      Map.ofEntries(
          Map.entry("setBigDecimal", Types.NUMERIC),
          Map.entry("setString", Types.VARCHAR),
          Map.entry("setNString", Types.VARCHAR),
          Map.entry("setDate", Types.DATE),
          Map.entry("setTime", Types.TIME),
          Map.entry("setTimestamp", Types.TIMESTAMP),
          Map.entry("setBytes", Types.VARBINARY),
          Map.entry("setArray", Types.ARRAY),
          Map.entry("setAsciiStream", Types.VARCHAR),
          Map.entry("setBinaryStream", Types.VARBINARY),
          Map.entry("setBlob", Types.VARBINARY),
          Map.entry("setCharacterStream", Types.VARCHAR),
          Map.entry("setNCharacterStream", Types.VARCHAR),
          Map.entry("setClob", Types.VARCHAR),
          Map.entry("setNClob", Types.VARCHAR),
          Map.entry("setBoolean", Types.NULL),
          Map.entry("setByte", Types.NULL),
          Map.entry("setShort", Types.NULL),
          Map.entry("setInt", Types.NULL),
          Map.entry("setLong", Types.NULL),
          Map.entry("setFloat", Types.NULL),
          Map.entry("setDouble", Types.NULL),
          Map.entry("setObject", Types.NULL),
          Map.entry("setNull", Types.NULL));

  /** A value, and the type that is handed on with it. */
  private record Bound(@Nullable Object value, int type, boolean typed) {}

  private final List<@Nullable Bound> values = new ArrayList<>();

  /** Whether a method gives a parameter its value. */
  static boolean isSetter(Method method, @Nullable Object[] arguments) {
    return arguments.length >= 2
        && arguments[0] instanceof Integer
        && TYPES.containsKey(method.getName());
  }

  void clear() {
    values.clear();
  }

  void set(Method method, @Nullable Object[] arguments) throws SQLException {
    int place = (Integer) Handlers.given(arguments, 0);
    if (place < 1 || place > PLACES_MAX) {
      throw new SQLException("There is no parameter " + place + ".", BAD_PARAMETER);
    }
    while (values.size() < place) {
      values.add(null);
    }
    values.set(place - 1, bound(method, arguments));
  }

  private static Bound bound(Method method, @Nullable Object[] arguments) throws SQLException {
    String name = method.getName();
    if (name.equals("setNull")) {
      return new Bound(null, (Integer) Handlers.given(arguments, 1), true);
    }
    if (arguments.length > 2 && arguments[2] instanceof Calendar calendar) {
      checkZone(method, calendar);
    }
    boolean typed = name.equals("setObject") && arguments.length > 2;
    int type = typed ? type(Handlers.given(arguments, 2)) : TYPES.getOrDefault(name, Types.NULL);
    Object value = arguments[1];
    if (value == null) {
      return new Bound(null, type, true);
    }
    if (typed && arguments.length > 3 && value instanceof BigDecimal number) {
      value = number.setScale((Integer) Handlers.given(arguments, 3), RoundingMode.HALF_UP);
    }
    long length =
        !typed && arguments.length > 2 && arguments[2] instanceof Number number
            ? number.longValue()
            : -1;
    Object sent = sent(name, value, length);
    if (!ControllerValues.isWritable(sent)) {
      throw new SQLException(
          "A parameter of the type %s cannot be sent through a controller: give it as one of JDBC's own types, such as a text with its type."
              .formatted(value.getClass().getName()),
          BAD_PARAMETER);
    }
    return new Bound(sent, type, typed && isSame(sent, value));
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Object one, Object other) {
    return one == other;
  }

  private static int type(Object given) {
    return given instanceof SQLType type ? type.getVendorTypeNumber() : (Integer) given;
  }

  private static void checkZone(Method method, Calendar calendar) throws SQLException {
    if (!calendar.getTimeZone().equals(Calendar.getInstance().getTimeZone())) {
      throw Handlers.unsupported(
          method.getName() + " with another time zone", "use java.time.OffsetDateTime.");
    }
  }

  /** The value as it is sent: streams are read to their end. */
  private static Object sent(String method, Object value, long length) throws SQLException {
    return switch (value) {
      case byte[] bytes -> bytes.clone();
      case InputStream stream when method.equals("setAsciiStream") ->
          new String(bytes(stream, length), StandardCharsets.US_ASCII);
      case InputStream stream -> bytes(stream, length);
      case Reader reader -> text(reader, length);
      case Blob blob -> bytes(blob.getBinaryStream(), -1);
      case Clob clob -> text(clob.getCharacterStream(), -1);
      case Array array when array.getArray() instanceof Object[] elements ->
          new ControllerValues.Elements(array.getBaseTypeName(), elements);
      default -> value;
    };
  }

  private static byte[] bytes(InputStream stream, long length) throws SQLException {
    try {
      byte[] bytes = stream.readNBytes(limit(length));
      checkLength(bytes.length, length);
      return bytes;
    } catch (IOException e) {
      throw new SQLException("A parameter's stream cannot be read.", "58030", e);
    }
  }

  private static String text(Reader reader, long length) throws SQLException {
    StringBuilder text = new StringBuilder();
    char[] chunk = new char[1 << 14];
    int limit = limit(length);
    try {
      int read;
      while (text.length() < limit
          && (read = reader.read(chunk, 0, Math.min(chunk.length, limit - text.length()))) >= 0) {
        text.append(chunk, 0, read);
      }
    } catch (IOException e) {
      throw new SQLException("A parameter's stream cannot be read.", "58030", e);
    }
    checkLength(text.length(), length);
    return text.toString();
  }

  private static int limit(long length) throws SQLException {
    if (length > ControllerFrame.BYTES_MAX) {
      throw tooLong();
    }
    return length < 0 ? ControllerFrame.BYTES_MAX + 1 : (int) length;
  }

  private static void checkLength(int got, long wanted) throws SQLException {
    if (got > ControllerFrame.BYTES_MAX) {
      throw tooLong();
    }
    if (wanted >= 0 && got < wanted) {
      throw new SQLException(
          "A parameter's stream ended after %d of %d.".formatted(got, wanted), BAD_PARAMETER);
    }
  }

  static SQLException tooLong() {
    return new SQLException(
        "A statement with its values has more than %d MiB, which a controller does not take."
            .formatted(ControllerFrame.BYTES_MAX >> 20),
        "54000");
  }

  /** Writes the values as one row, none of which may be missing. */
  void write(Encoder out) throws SQLException {
    out.putUnsigned(values.size());
    for (int i = 0; i < values.size(); i++) {
      Bound one = values.get(i);
      if (one == null) {
        throw new SQLException("The parameter " + (i + 1) + " has no value.", BAD_PARAMETER);
      }
      out.putByte(one.typed ? 1 : 0);
      out.putSigned(one.type);
      ControllerValues.write(out, one.value);
    }
    if (out.length() > ControllerFrame.BYTES_MAX) {
      throw tooLong();
    }
  }

  /** The number that a method was given, which is not to be negative. */
  static int atLeastZero(@Nullable Object[] arguments) throws SQLException {
    int value = (Integer) Handlers.given(arguments, 0);
    if (value < 0) {
      throw new SQLException("Expected 0 or more, got " + value + ".", BAD_PARAMETER);
    }
    return value;
  }
}
