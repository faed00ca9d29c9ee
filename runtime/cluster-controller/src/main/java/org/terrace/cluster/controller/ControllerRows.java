package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.MalformedDataException;

/** The rows of a result, all of which have arrived. Confined to one thread. */
final class ControllerRows {
  private static final int COLUMNS_MAX = 10_000;

  private final List<String> columns;
  private final List<@Nullable Object[]> rows;
  private int at = -1;
  private boolean wasNull;
  private boolean closed;

  private ControllerRows(List<String> columns, List<@Nullable Object[]> rows) {
    this.columns = columns;
    this.rows = rows;
  }

  static ResultSet of(Decoder answer) throws SQLException {
    try {
      return read(answer);
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    }
  }

  private static ResultSet read(Decoder answer) {
    int width = answer.getCount(COLUMNS_MAX);
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(answer.getString());
    }
    List<@Nullable Object[]> rows = new ArrayList<>();
    while (answer.getByte() != 0) {
      @Nullable Object[] row = new Object[width];
      for (int i = 0; i < width; i++) {
        row[i] = ControllerValues.read(answer);
      }
      rows.add(row);
    }
    return Handlers.make(ResultSet.class, new ControllerRows(columns, rows)::call);
  }

  private @Nullable Object call(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    String name = method.getName();
    boolean ofColumn = arguments.length == 1 && name.startsWith("get");
    return switch (name) {
      case "next" -> ++at < rows.size();
      case "close" -> {
        closed = true;
        yield null;
      }
      case "isClosed" -> closed;
      case "wasNull" -> wasNull;
      case "getRow" -> at < rows.size() ? at + 1 : 0;
      case "findColumn" -> index(Handlers.given(arguments, 0)) + 1;
      case "getMetaData" -> Handlers.make(ResultSetMetaData.class, this::metaData);
      case "getStatement", "getWarnings", "clearWarnings" -> null;
      case "getObject" ->
          arguments.length == 2 && arguments[1] instanceof Class<?> type
              ? convert(value(arguments), type)
              : value(arguments);
      default -> {
        if (!ofColumn) {
          throw Handlers.unsupported(method);
        }
        yield primitive(convert(value(arguments), boxed(method)), method);
      }
    };
  }

  private static Class<?> boxed(Method method) throws SQLException {
    Class<?> type = method.getReturnType();
    return switch (type.getSimpleName()) {
      case "int" -> Integer.class;
      case "long" -> Long.class;
      case "short" -> Short.class;
      case "double" -> Double.class;
      case "boolean" -> Boolean.class;
      case "String", "BigDecimal", "Date", "Timestamp", "byte[]" -> type;
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
      case "double" -> 0.0;
      default -> false;
    };
  }

  private @Nullable Object value(@Nullable Object[] arguments) throws SQLException {
    if (closed || at < 0 || at >= rows.size()) {
      throw new SQLException("There is no row.", "24000");
    }
    Object value = rows.get(at)[index(Handlers.given(arguments, 0))];
    wasNull = value == null;
    return value;
  }

  private int index(Object column) throws SQLException {
    if (column instanceof Integer number) {
      if (number >= 1 && number <= columns.size()) {
        return number - 1;
      }
    } else {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).equalsIgnoreCase(String.valueOf(column))) {
          return i;
        }
      }
    }
    throw new SQLException("There is no column " + column + " among " + columns + ".", "42703");
  }

  private static @Nullable Object convert(@Nullable Object value, Class<?> type)
      throws SQLException {
    if (value == null || type.isInstance(value)) {
      return value;
    }
    try {
      return switch (type.getSimpleName()) {
        case "String" -> value.toString();
        case "Integer" -> new BigDecimal(number(value)).intValueExact();
        case "Long" -> new BigDecimal(number(value)).longValueExact();
        case "Short" -> new BigDecimal(number(value)).shortValueExact();
        case "Double" -> Double.valueOf(number(value));
        case "BigDecimal" -> new BigDecimal(number(value));
        case "Boolean" -> isTrue(number(value));
        default -> moment(value, type);
      };
    } catch (NumberFormatException | ArithmeticException e) {
      throw new SQLException("'%s' is no %s.".formatted(value, type.getSimpleName()), "22018", e);
    }
  }

  private static String number(Object value) {
    return value instanceof Boolean flag ? (flag ? "1" : "0") : value.toString().strip();
  }

  private static boolean isTrue(String value) {
    return value.equalsIgnoreCase("t") || value.equalsIgnoreCase("true") || value.equals("1");
  }

  private static Object moment(Object value, Class<?> type) throws SQLException {
    if (value instanceof LocalDate day && type == Date.class) {
      return Date.valueOf(day);
    }
    if (value instanceof LocalDateTime moment && type == Timestamp.class) {
      return Timestamp.valueOf(moment);
    }
    if (value instanceof Timestamp moment && type == LocalDateTime.class) {
      return moment.toLocalDateTime();
    }
    throw new SQLException(
        "A %s is not given as %s.".formatted(value.getClass().getSimpleName(), type.getName()),
        "0A000");
  }

  private @Nullable Object metaData(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (method.getName()) {
      case "getColumnCount" -> columns.size();
      case "getColumnLabel", "getColumnName" -> columns.get(index(Handlers.given(arguments, 0)));
      default -> throw Handlers.unsupported(method);
    };
  }
}
