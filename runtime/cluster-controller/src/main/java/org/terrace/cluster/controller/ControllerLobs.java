package org.terrace.cluster.controller;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.Blob;
import java.sql.NClob;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The large values and arrays of a result, which have arrived with their row. Stateless. */
final class ControllerLobs {
  private ControllerLobs() {}

  /** The value as what one of JDBC's methods gives. */
  static @Nullable Object of(String method, @Nullable Object value) throws SQLException {
    if (value == null) {
      return null;
    }
    if (method.equals("getBlob")) {
      byte[] bytes = (byte[]) Conversions.to(value, byte[].class);
      byte[] whole = bytes == null ? new byte[0] : bytes;
      return Handlers.make(Blob.class, (self, called, given) -> blob(whole, called, given));
    }
    String text = Conversions.text(value);
    return Handlers.make(NClob.class, (self, called, given) -> clob(text, called, given));
  }

  private static @Nullable Object blob(byte[] bytes, Method method, @Nullable Object[] given)
      throws SQLException {
    return switch (method.getName()) {
      case "length" -> (long) bytes.length;
      case "getBytes" -> {
        int from = from(given, bytes.length);
        yield Arrays.copyOfRange(bytes, from, end(given, from, bytes.length));
      }
      case "getBinaryStream" -> {
        int from = given.length == 0 ? 0 : from(given, bytes.length);
        int end = given.length == 0 ? bytes.length : end(given, from, bytes.length);
        yield new ByteArrayInputStream(bytes, from, end - from);
      }
      case "free" -> null;
      default -> throw Handlers.unsupported(method);
    };
  }

  private static @Nullable Object clob(String text, Method method, @Nullable Object[] given)
      throws SQLException {
    return switch (method.getName()) {
      case "length" -> (long) text.length();
      case "getSubString" -> {
        int from = from(given, text.length());
        yield text.substring(from, end(given, from, text.length()));
      }
      case "getCharacterStream" -> {
        int from = given.length == 0 ? 0 : from(given, text.length());
        int end = given.length == 0 ? text.length() : end(given, from, text.length());
        yield new StringReader(text.substring(from, end));
      }
      case "free" -> null;
      default -> throw Handlers.unsupported(method);
    };
  }

  private static int from(@Nullable Object[] given, int length) throws SQLException {
    long from = (Long) Handlers.given(given, 0);
    if (from < 1 || from > length + 1L) {
      throw new SQLException("There is no place " + from + " in " + length + ".", "22011");
    }
    return (int) from - 1;
  }

  private static int end(@Nullable Object[] given, int from, int length) throws SQLException {
    long count = ((Number) Handlers.given(given, 1)).longValue();
    return (int) Math.min(length, from + Math.max(0, count));
  }

  static Array array(ControllerValues.Elements array, String text) {
    return Handlers.make(
        Array.class,
        (self, method, given) ->
            switch (method.getName()) {
              case "getBaseTypeName" -> array.type();
              case "getArray" -> {
                if (given.length > 1) {
                  throw Handlers.unsupported("getArray of a part", "take the whole.");
                }
                yield array.elements().clone();
              }
              case "free" -> null;
              default -> throw Handlers.unsupported(method);
            },
        text);
  }
}
