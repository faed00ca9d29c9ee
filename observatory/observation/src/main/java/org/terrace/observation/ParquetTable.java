package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Path;
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
 * A table as a Parquet file, written and read as its {@link TableColumns} describe it. Every column
 * of a file that is written is required. Stateless and thread-safe.
 */
final class ParquetTable<R> {
  /** Repetition levels: the first element of a row's collection, and those that follow. */
  private static final int FIRST = 0;

  static final int FOLLOWING = 1;

  /** Definition levels: an empty collection, and an element. */
  private static final int EMPTY = 0;

  private static final int ELEMENT = 1;

  /** Encoded strings that are kept for use again, at most. */
  private static final int ENCODED_MAX = 1 << 16;

  private final TableColumns<R> description;
  private final MessageType schema;

  ParquetTable(TableColumns<R> description) {
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
  void write(Path path, Iterable<R> rows) throws IOException {
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
  void read(Path path, Consumer<? super R> rows) throws IOException {
    try (ParquetTableReader file = new ParquetTableReader(path)) {
      ParquetRow row = new ParquetRow(file, description);
      for (BlockMetaData rowGroup : file.rowGroups()) {
        row.open(rowGroup);
        for (long left = rowGroup.getRowCount(); left > 0; left--) {
          rows.accept(description.row(row));
          row.step();
        }
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
      case Column.Text<?> _ -> string(column.name());
      case Column.Whole<?> whole ->
          Types.required(
                  whole.bits() == Integer.SIZE ? PrimitiveTypeName.INT32 : PrimitiveTypeName.INT64)
              .named(column.name());
      case Column.Decimal<?> _ -> Types.required(PrimitiveTypeName.DOUBLE).named(column.name());
      case Column.Texts<?> _ ->
          Types.requiredList().element(string("element")).named(column.name());
      case Column.Pairs<?> _ ->
          Types.requiredMap().key(string("key")).value(string("value")).named(column.name());
    };
  }

  private static Type string(String name) {
    return Types.required(PrimitiveTypeName.BINARY)
        .as(LogicalTypeAnnotation.stringType())
        .named(name);
  }

  /** Writes a row's value of a column to its leaves; returns the first leaf behind them. */
  private static <R> int write(
      Column<R> column, R row, List<ColumnWriter> leaves, int leaf, Map<String, Binary> encoded) {
    switch (column) {
      case Column.Text<R> text ->
          leaves.get(leaf).write(encode(text.value().apply(row), encoded), 0, 0);
      case Column.Whole<R> whole -> {
        long value = whole.value().applyAsLong(row);
        if (whole.bits() == Integer.SIZE) {
          leaves.get(leaf).write(Math.toIntExact(value), 0, 0);
        } else {
          leaves.get(leaf).write(value, 0, 0);
        }
      }
      case Column.Decimal<R> decimal ->
          leaves.get(leaf).write(decimal.value().applyAsDouble(row), 0, 0);
      case Column.Texts<R> texts -> writeAll(leaves.get(leaf), texts.value().apply(row), encoded);
      case Column.Pairs<R> pairs -> {
        var entries =
            pairs.value().apply(row).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .toList();
        writeAll(leaves.get(leaf), entries.stream().map(Map.Entry::getKey).toList(), encoded);
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
