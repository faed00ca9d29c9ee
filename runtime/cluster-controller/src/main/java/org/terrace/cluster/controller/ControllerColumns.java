package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The columns of a result. PostgreSQL's driver asks the server for the tables of columns, whether
 * they may be null and whether they are numbered; that is not done for each result, so that these
 * are unknown there.
 */
final class ControllerColumns {
  private static final int COLUMNS_MAX = 10_000;

  /** A column; {@code table} and what follows are known to some drivers alone. */
  private record Column(
      String label,
      String name,
      int type,
      String typeName,
      String className,
      int precision,
      int scale,
      int displaySize,
      boolean signed,
      boolean whole,
      String table,
      int nullable,
      boolean numbered) {}

  private final List<Column> columns;

  private ControllerColumns(List<Column> columns) {
    this.columns = columns;
  }

  static void write(Encoder out, ResultSetMetaData shape, boolean whole) throws SQLException {
    int width = shape.getColumnCount();
    out.putUnsigned(width);
    for (int i = 1; i <= width; i++) {
      out.putString(shape.getColumnLabel(i));
      out.putString(shape.getColumnName(i));
      out.putSigned(shape.getColumnType(i));
      out.putString(shape.getColumnTypeName(i));
      out.putString(shape.getColumnClassName(i));
      out.putSigned(shape.getPrecision(i));
      out.putSigned(shape.getScale(i));
      out.putSigned(shape.getColumnDisplaySize(i));
      out.putByte(shape.isSigned(i) ? 1 : 0);
      out.putByte(whole ? 1 : 0);
      if (whole) {
        out.putString(shape.getTableName(i));
        out.putSigned(shape.isNullable(i));
        out.putByte(shape.isAutoIncrement(i) ? 1 : 0);
      }
    }
  }

  static ControllerColumns read(Decoder in) {
    int width = in.getCount(Math.min(COLUMNS_MAX, in.remaining()));
    List<Column> columns = new ArrayList<>(width);
    for (int i = 0; i < width; i++) {
      String label = in.getString();
      String name = in.getString();
      int type = (int) in.getSigned();
      String typeName = in.getString();
      String className = in.getString();
      int precision = (int) in.getSigned();
      int scale = (int) in.getSigned();
      int displaySize = (int) in.getSigned();
      boolean signed = in.getByte() != 0;
      boolean whole = in.getByte() != 0;
      columns.add(
          new Column(
              label,
              name,
              type,
              typeName,
              className,
              precision,
              scale,
              displaySize,
              signed,
              whole,
              whole ? in.getString() : "",
              whole ? (int) in.getSigned() : ResultSetMetaData.columnNullableUnknown,
              whole && in.getByte() != 0));
    }
    return new ControllerColumns(columns);
  }

  int width() {
    return columns.size();
  }

  /** The place of a column, from 0, by its number or label. */
  int index(Object column) throws SQLException {
    if (column instanceof Integer number) {
      if (number >= 1 && number <= columns.size()) {
        return number - 1;
      }
    } else {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).label.equalsIgnoreCase(String.valueOf(column))) {
          return i;
        }
      }
    }
    throw new SQLException(
        "There is no column %s among %s."
            .formatted(column, columns.stream().map(Column::label).toList()),
        "42703");
  }

  String typeName(int index) {
    return columns.get(index).typeName;
  }

  ResultSetMetaData metaData() {
    return Handlers.make(ResultSetMetaData.class, this::metaData);
  }

  private @Nullable Object metaData(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    if (method.getName().equals("getColumnCount")) {
      return columns.size();
    }
    Column column = columns.get(index(Handlers.given(arguments, 0)));
    return switch (method.getName()) {
      case "getColumnLabel" -> column.label;
      case "getColumnName" -> column.name;
      case "getColumnType" -> column.type;
      case "getColumnTypeName" -> column.typeName;
      case "getColumnClassName" -> column.className;
      case "getPrecision" -> column.precision;
      case "getScale" -> column.scale;
      case "getColumnDisplaySize" -> column.displaySize;
      case "isSigned" -> column.signed;
      case "getTableName" -> column.table;
      case "getSchemaName", "getCatalogName" -> "";
      case "isNullable" -> column.nullable;
      case "isReadOnly" -> true;
      case "isWritable", "isDefinitelyWritable" -> false;
      case "isAutoIncrement" -> {
        if (!column.whole) {
          throw Handlers.unsupported(
              "isAutoIncrement", "the server would be asked for it with each result.");
        }
        yield column.numbered;
      }
      default -> throw Handlers.unsupported(method);
    };
  }
}
