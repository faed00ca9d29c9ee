package org.terrace.observation.table;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * A table as a Parquet file, written and read as its {@link TableColumns} describe it. A file that
 * is written has every column. Stateless and thread-safe.
 */
public final class ParquetTable<R> {
  /** Repetition levels: the first element of a row's collection, and those that follow. */
  private static final int FIRST = 0;

  static final int FOLLOWING = 1;

  /** Definition levels: nothing or an empty collection, and a value where there may be none. */
  private static final int EMPTY = 0;

  private static final int ELEMENT = 1;

  /** Encoded strings that are kept for use again, at most. */
  private static final int ENCODED_MAX = 1 << 16;

  private final TableColumns<R> description;
  private final MessageType schema;

  /** The form of a table as a file. */
  public ParquetTable(TableColumns<R> description) {
    this.description = description;
    this.schema =
        new MessageType(
            description.table(), description.columns().stream().map(ParquetTable::type).toList());
  }

  /** The schema of a file that is written. */
  MessageType schema() {
    return schema;
  }

  /** Writes a file whole or not at all. */
  public void write(Path path, Iterable<R> rows) throws IOException {
    Map<String, Binary> encoded = new HashMap<>();
    try (ParquetTableWriter file = new ParquetTableWriter(path, schema)) {
      List<ColumnWriter> leaves = file.columns();
      for (R row : rows) {
        int leaf = 0;
        for (Column<R> column : description.columns()) {
          leaf = write(column, row, leaves, leaf, encoded);
        }
        file.endRow();
      }
      file.commit();
    }
  }

  /** Reads the rows of a file from any writer, in their order. */
  public void read(Path path, Consumer<? super R> rows) throws IOException {
    try (FileChannel bytes = FileChannel.open(path, StandardOpenOption.READ)) {
      read(bytes, rows);
    }
  }

  /** Reads the rows of a file from any writer, in their order, wherever its bytes are. */
  public void read(SeekableByteChannel bytes, Consumer<? super R> rows) throws IOException {
    ParquetTableReader file = new ParquetTableReader(bytes);
    ParquetRow row = new ParquetRow(file, description);
    for (BlockMetaData rowGroup : file.rowGroups()) {
      row.open(rowGroup);
      for (long left = rowGroup.getRowCount(); left > 0; left--) {
        rows.accept(description.row(row));
        row.step();
      }
    }
  }

  /** The paths of the leaves that hold a column in a file. */
  static List<List<String>> leaves(Column<?> column) {
    return switch (column) {
      case Column.Text<?> _, Column.Whole<?> _, Column.Decimal<?> _ ->
          List.of(List.of(column.name()));
      case Column.Texts<?> _ -> List.of(List.of(column.name(), "list", "element"));
      case Column.Pairs<?> _ ->
          List.of(
              List.of(column.name(), "key_value", "key"),
              List.of(column.name(), "key_value", "value"));
    };
  }

  private static Type type(Column<?> column) {
    return switch (column) {
      case Column.Text<?> _ ->
          Types.primitive(PrimitiveTypeName.BINARY, repetition(column))
              .as(LogicalTypeAnnotation.stringType())
              .named(column.name());
      case Column.Whole<?> whole ->
          Types.primitive(
                  whole.bits() == Integer.SIZE ? PrimitiveTypeName.INT32 : PrimitiveTypeName.INT64,
                  repetition(column))
              .named(column.name());
      case Column.Decimal<?> _ ->
          Types.primitive(PrimitiveTypeName.DOUBLE, repetition(column)).named(column.name());
      case Column.Texts<?> _ ->
          Types.requiredList().element(string("element")).named(column.name());
      case Column.Pairs<?> _ ->
          Types.requiredMap().key(string("key")).value(string("value")).named(column.name());
    };
  }

  private static Type.Repetition repetition(Column<?> column) {
    return column.nullable() ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED;
  }

  private static Type string(String name) {
    return Types.required(PrimitiveTypeName.BINARY)
        .as(LogicalTypeAnnotation.stringType())
        .named(name);
  }

  /** Writes a row's value of a column to its leaves; returns the first leaf behind them. */
  private static <R> int write(
      Column<R> column, R row, List<ColumnWriter> leaves, int leaf, Map<String, Binary> encoded) {
    ColumnWriter first = leaves.get(leaf);
    int present = column.nullable() ? ELEMENT : EMPTY;
    switch (column) {
      case Column.Text<R> text -> {
        String value = text.value().apply(row);
        if (value == null) {
          first.writeNull(FIRST, EMPTY);
        } else {
          first.write(encode(value, encoded), FIRST, present);
        }
      }
      case Column.Whole<R> whole -> {
        long value = whole.value().applyAsLong(row);
        if (whole.nullable() && value == Column.ABSENT) {
          first.writeNull(FIRST, EMPTY);
        } else if (whole.bits() == Integer.SIZE) {
          first.write(Math.toIntExact(value), FIRST, present);
        } else {
          first.write(value, FIRST, present);
        }
      }
      case Column.Decimal<R> decimal -> {
        double value = decimal.value().applyAsDouble(row);
        if (decimal.nullable() && Double.isNaN(value)) {
          first.writeNull(FIRST, EMPTY);
        } else {
          first.write(value, FIRST, present);
        }
      }
      case Column.Texts<R> texts -> writeAll(first, texts.value().apply(row), encoded);
      case Column.Pairs<R> pairs -> {
        var entries =
            pairs.value().apply(row).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .toList();
        writeAll(first, entries.stream().map(Map.Entry::getKey).toList(), encoded);
        writeAll(leaves.get(leaf + 1), entries.stream().map(Map.Entry::getValue).toList(), encoded);
        return leaf + 2;
      }
    }
    return leaf + 1;
  }

  private static void writeAll(
      ColumnWriter leaf, List<String> values, Map<String, Binary> encoded) {
    if (values.isEmpty()) {
      leaf.writeNull(FIRST, EMPTY);
    }
    for (int i = 0; i < values.size(); i++) {
      leaf.write(encode(values.get(i), encoded), i == 0 ? FIRST : FOLLOWING, ELEMENT);
    }
  }

  private static Binary encode(String text, Map<String, Binary> encoded) {
    Binary known = encoded.get(text);
    if (known == null) {
      if (encoded.size() == ENCODED_MAX) {
        encoded.clear();
      }
      known = Binary.fromString(text);
      encoded.put(text, known);
    }
    return known;
  }
}
