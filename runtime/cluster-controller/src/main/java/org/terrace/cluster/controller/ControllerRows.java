package org.terrace.cluster.controller;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The rows of a result, of which a page has arrived; the next is asked for when it is needed. Those
 * of a result that is not read forwards alone all are. Confined to one thread.
 */
final class ControllerRows {
  /** The place where further pages come from. */
  interface Pages {
    /**
     * The answer with the next page of a result.
     *
     * @param lasts whether its statement has taken effect, whatever becomes of its rows
     */
    Decoder next(long result, boolean lasts) throws SQLException;

    /** Says that no more of a result is read. */
    void close(long result, boolean lasts) throws SQLException;
  }

  private final ControllerColumns columns;
  private final Pages pages;
  private final @Nullable Statement owner;
  private final Runnable onClose;
  private final boolean scrolls;
  private final boolean lasts;
  private List<@Nullable Object[]> rows = new ArrayList<>();

  /** The number of the result at the controller; 0: all that is left of it has arrived. */
  private long result;

  /** The rows before those of the present page. */
  private int before;

  private int at = -1;
  private boolean wasNull;
  private boolean closed;

  private ControllerRows(
      Decoder answer, Pages pages, @Nullable Statement owner, boolean scrolls, Runnable onClose) {
    this.pages = pages;
    this.owner = owner;
    this.scrolls = scrolls;
    this.onClose = onClose;
    this.result = answer.getUnsigned();
    this.lasts = answer.getByte() != 0;
    this.columns = ControllerColumns.read(answer);
    add(answer);
  }

  /**
   * The rows that an answer begins, past its first byte.
   *
   * @param scrolls whether they are read in any order
   */
  static ResultSet of(
      Decoder answer, Pages pages, @Nullable Statement owner, boolean scrolls, Runnable onClose)
      throws SQLException {
    try {
      ControllerRows rows = new ControllerRows(answer, pages, owner, scrolls, onClose);
      while (scrolls && rows.result != 0) {
        rows.fetch();
      }
      return Handlers.make(ResultSet.class, rows::call);
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    }
  }

  private void add(Decoder answer) {
    while (answer.getByte() != 0) {
      @Nullable Object[] row = new Object[columns.width()];
      for (int i = 0; i < row.length; i++) {
        row[i] = ControllerValues.read(answer);
      }
      rows.add(row);
    }
  }

  private void fetch() throws SQLException {
    Decoder answer = pages.next(result, lasts);
    try {
      result = answer.getUnsigned();
      add(answer);
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    }
  }

  private @Nullable Object call(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    String name = method.getName();
    return switch (name) {
      case "close" -> {
        close();
        yield null;
      }
      case "isClosed" -> closed;
      default -> {
        if (closed) {
          throw Handlers.closed("result");
        }
        yield open(name, method, arguments);
      }
    };
  }

  private void close() throws SQLException {
    if (!closed) {
      closed = true;
      long left = result;
      result = 0;
      onClose.run();
      if (left != 0) {
        pages.close(left, lasts);
      }
    }
  }

  private @Nullable Object open(String name, Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (name) {
      case "next" -> next();
      case "wasNull" -> wasNull;
      case "getRow" -> at >= 0 && at < rows.size() ? before + at + 1 : 0;
      case "isBeforeFirst" -> before == 0 && at < 0 && !rows.isEmpty();
      case "isFirst" -> before == 0 && at == 0;
      case "isAfterLast" -> result == 0 && at >= rows.size() && before + rows.size() > 0;
      case "isLast" -> {
        while (result != 0 && at == rows.size() - 1) {
          fetch();
        }
        yield at >= 0 && at == rows.size() - 1;
      }
      case "findColumn" -> columns.index(Handlers.given(arguments, 0)) + 1;
      case "getMetaData" -> columns.metaData();
      case "getStatement" -> owner;
      case "getWarnings", "clearWarnings", "setFetchSize" -> null;
      case "getFetchSize" -> 0;
      case "getType" -> scrolls ? ResultSet.TYPE_SCROLL_INSENSITIVE : ResultSet.TYPE_FORWARD_ONLY;
      case "getConcurrency" -> ResultSet.CONCUR_READ_ONLY;
      case "getHoldability" -> ResultSet.CLOSE_CURSORS_AT_COMMIT;
      case "getFetchDirection" -> ResultSet.FETCH_FORWARD;
      case "previous", "first", "last", "beforeFirst", "afterLast", "absolute", "relative" ->
          scroll(name, arguments);
      default -> get(name, method, arguments);
    };
  }

  private boolean next() throws SQLException {
    while (!scrolls && at + 1 >= rows.size() && result != 0) {
      before += rows.size();
      rows = new ArrayList<>();
      at = -1;
      fetch();
    }
    at = Math.min(at + 1, rows.size());
    return at < rows.size();
  }

  private @Nullable Object scroll(String name, @Nullable Object[] arguments) throws SQLException {
    if (!scrolls) {
      throw new SQLException(
          name + " needs a result that scrolls: ask for TYPE_SCROLL_INSENSITIVE.", "24000");
    }
    int many = arguments.length == 0 ? 0 : (Integer) Handlers.given(arguments, 0);
    long wanted =
        switch (name) {
          case "previous" -> at - 1L;
          case "first" -> 0;
          case "last" -> rows.size() - 1L;
          case "beforeFirst" -> -1;
          case "afterLast" -> rows.size();
          case "absolute" -> many < 0 ? (long) rows.size() + many : many - 1L;
          default -> (long) at + many;
        };
    at = Math.clamp(wanted, -1, rows.size());
    return name.endsWith("t") && (name.startsWith("before") || name.startsWith("after"))
        ? null
        : (Object) (at >= 0 && at < rows.size());
  }

  private @Nullable Object get(String name, Method method, @Nullable Object[] arguments)
      throws SQLException {
    if (!name.startsWith("get") || arguments.length == 0 || arguments.length > 2) {
      throw Handlers.unsupported(method);
    }
    int index = columns.index(Handlers.given(arguments, 0));
    if (at < 0 || at >= rows.size()) {
      throw new SQLException("There is no row.", "24000");
    }
    Object value = rows.get(at)[index];
    wasNull = value == null;
    if (name.equals("getObject")) {
      return arguments.length == 2 && arguments[1] instanceof Class<?> type
          ? Conversions.to(value, type)
          : object(value, index);
    }
    Object converted =
        switch (name) {
          case "getAsciiStream", "getBinaryStream", "getCharacterStream", "getNCharacterStream" ->
              stream(name, value);
          case "getBlob", "getClob", "getNClob" -> ControllerLobs.of(name, value);
          case "getArray" -> array(value, index);
          case "getNString" -> Conversions.to(value, String.class);
          default -> Conversions.to(value, boxed(method));
        };
    return primitive(converted, method);
  }

  private @Nullable Object object(@Nullable Object value, int index) throws SQLException {
    Object plain = Conversions.plain(value);
    return switch (plain) {
      case ControllerValues.Elements _ -> array(value, index);
      case byte[] bytes -> bytes.clone();
      case null, default -> plain;
    };
  }

  private static @Nullable Array array(@Nullable Object value, int index) throws SQLException {
    return switch (Conversions.plain(value)) {
      case null -> null;
      case ControllerValues.Elements array ->
          ControllerLobs.array(array, value == null ? "" : Conversions.text(value));
      default -> throw new SQLException("The column " + (index + 1) + " is no array.", "42804");
    };
  }

  private static @Nullable Object stream(String name, @Nullable Object value) throws SQLException {
    if (value == null) {
      return null;
    }
    if (name.equals("getBinaryStream")) {
      byte[] bytes = (byte[]) Conversions.to(value, byte[].class);
      return new ByteArrayInputStream(bytes == null ? new byte[0] : bytes);
    }
    String text = Conversions.text(value);
    return name.equals("getAsciiStream")
        ? new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII))
        : new StringReader(text);
  }

  private static Class<?> boxed(Method method) throws SQLException {
    Class<?> type = method.getReturnType();
    return switch (type.getSimpleName().toLowerCase(Locale.ROOT)) {
      case "int" -> Integer.class;
      case "long" -> Long.class;
      case "short" -> Short.class;
      case "byte" -> Byte.class;
      case "double" -> Double.class;
      case "float" -> Float.class;
      case "boolean" -> Boolean.class;
      case "string", "bigdecimal", "date", "time", "timestamp", "byte[]" -> type;
      default -> throw Handlers.unsupported(method);
    };
  }

  /** The value that JDBC has for SQL's null: zero or false where the method gives a primitive. */
  private static @Nullable Object primitive(@Nullable Object value, Method method) {
    if (value != null || !method.getReturnType().isPrimitive()) {
      return value;
    }
    return switch (method.getReturnType().getSimpleName()) {
      case "int" -> 0;
      case "long" -> 0L;
      case "short" -> (short) 0;
      case "byte" -> (byte) 0;
      case "double" -> 0.0;
      case "float" -> 0.0f;
      default -> false;
    };
  }
}
