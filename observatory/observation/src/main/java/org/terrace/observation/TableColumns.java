package org.terrace.observation;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Finds the columns of a table by name and reads their values, of whichever width they are. */
final class TableColumns {
  private final ParquetTableReader file;
  private final Map<Binary, String> strings = new HashMap<>();

  TableColumns(ParquetTableReader file) {
    this.file = file;
  }

  /** The column of that name, or null when the file has none. */
  @Nullable ColumnDescriptor find(String... path) {
    MessageType schema = file.schema();
    return schema.containsPath(path) ? schema.getColumnDescription(path) : null;
  }

  /** The column of that name. */
  ColumnDescriptor require(String... path) throws IOException {
    ColumnDescriptor column = find(path);
    if (column == null) {
      throw new IOException(
          "it has no column " + String.join(".", path) + "; its columns are " + names());
    }
    return column;
  }

  /** The column of that name, which must hold whole numbers. */
  ColumnDescriptor requireWhole(String name) throws IOException {
    ColumnDescriptor column = require(name);
    checkWhole(column);
    return column;
  }

  /** Checks that a column holds whole numbers, and no timestamps coarser than nanoseconds. */
  static void checkWhole(ColumnDescriptor column) throws IOException {
    PrimitiveTypeName type = column.getPrimitiveType().getPrimitiveTypeName();
    boolean whole = type == PrimitiveTypeName.INT32 || type == PrimitiveTypeName.INT64;
    boolean coarse =
        column.getPrimitiveType().getLogicalTypeAnnotation()
                instanceof TimestampLogicalTypeAnnotation timestamp
            && timestamp.getUnit() != TimeUnit.NANOS;
    if (!whole || coarse) {
      throw new IOException(
          "its column "
              + String.join(".", column.getPath())
              + " is "
              + column.getPrimitiveType()
              + "; expected INT64 (times as nanoseconds since the Unix epoch)");
    }
  }

  /** Readers of the columns in one row group. */
  List<ColumnReader> open(BlockMetaData rowGroup, List<ColumnDescriptor> columns) {
    return file.open(rowGroup, columns);
  }

  /** Takes a whole number and steps on. */
  static long whole(ColumnReader reader) throws IOException {
    requirePresent(reader);
    long value =
        reader.getDescriptor().getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32
            ? reader.getInteger()
            : reader.getLong();
    reader.consume();
    return value;
  }

  /** Takes a number and steps on. */
  static double number(ColumnReader reader) throws IOException {
    requirePresent(reader);
    double value =
        switch (reader.getDescriptor().getPrimitiveType().getPrimitiveTypeName()) {
          case DOUBLE -> reader.getDouble();
          case FLOAT -> reader.getFloat();
          case INT32 -> reader.getInteger();
          case INT64 -> reader.getLong();
          case BOOLEAN, BINARY, INT96, FIXED_LEN_BYTE_ARRAY ->
              throw new IOException("its column " + nameOf(reader) + " is no number");
        };
    reader.consume();
    return value;
  }

  /** Takes a string, the same object for equal strings, and steps on. */
  String string(ColumnReader reader) throws IOException {
    requirePresent(reader);
    if (reader.getDescriptor().getPrimitiveType().getPrimitiveTypeName()
        != PrimitiveTypeName.BINARY) {
      throw new IOException("its column " + nameOf(reader) + " is no string");
    }
    Binary value = reader.getBinary();
    reader.consume();
    String known = strings.get(value);
    if (known == null) {
      known = value.toStringUsingUTF8();
      strings.put(value.copy(), known);
    }
    return known;
  }

  /** Whether the reader stands at a value rather than at nothing. */
  static boolean present(ColumnReader reader) {
    return reader.getCurrentDefinitionLevel() == reader.getDescriptor().getMaxDefinitionLevel();
  }

  private static void requirePresent(ColumnReader reader) throws IOException {
    if (!present(reader)) {
      throw new IOException("its column " + nameOf(reader) + " has an empty value");
    }
  }

  private static String nameOf(ColumnReader reader) {
    return String.join(".", reader.getDescriptor().getPath());
  }

  private String names() {
    return String.join(
        ", ", file.schema().getFields().stream().map(field -> field.getName()).toList());
  }
}
