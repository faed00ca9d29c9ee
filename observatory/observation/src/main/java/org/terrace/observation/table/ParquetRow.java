package org.terrace.observation.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * A cursor over the rows of a Parquet file: finds the columns of a table by name, those that the
 * file lacks among them, and reads their values, of whichever width they are. Confined to one
 * thread.
 */
public final class ParquetRow implements TableRow {
  private static final int LACKING = -1;

  private final ParquetTableReader file;
  private final Map<Binary, String> strings = new HashMap<>();
  private final List<ColumnDescriptor> present = new ArrayList<>();

  /** The first leaf of each column among those that are present. */
  private final int[] firstLeaf;

  private List<ColumnReader> readers = List.of();
  private long number;

  ParquetRow(ParquetTableReader file, TableColumns<?> table) throws IOException {
    this.file = file;
    this.firstLeaf = new int[table.columns().size()];
    for (Column<?> column : table.columns()) {
      firstLeaf[column.index()] = find(column);
    }
  }

  private int find(Column<?> column) throws IOException {
    MessageType schema = file.schema();
    int first = present.size();
    for (List<String> leaf : ParquetTable.leaves(column)) {
      String[] path = leaf.toArray(String[]::new);
      if (schema.containsPath(path)) {
        present.add(schema.getColumnDescription(path));
      } else if (column.required()) {
        throw new IOException(
            "it has no column " + String.join(".", path) + "; its columns are " + names());
      } else {
        return LACKING;
      }
    }
    if (column instanceof Column.Whole<?>) {
      checkWhole(present.get(first));
    }
    return first;
  }

  /** Checks that a column holds whole numbers, and no timestamps coarser than nanoseconds. */
  private static void checkWhole(ColumnDescriptor column) throws IOException {
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

  /** Stands at the first row of a row group from here on. */
  void open(BlockMetaData rowGroup) {
    readers = file.open(rowGroup, present);
  }

  /** Goes on to the next row, the values of this one having been taken. */
  void step() {
    number++;
  }

  @Override
  public String where() {
    return "in row %,d ".formatted(number);
  }

  @Override
  public String text(Column.Text<?> column, String otherwise) throws IOException {
    int leaf = firstLeaf[column.index()];
    return leaf == LACKING || isEmpty(column, leaf) ? otherwise : string(readers.get(leaf));
  }

  @Override
  public long whole(Column.Whole<?> column, long otherwise) throws IOException {
    int leaf = firstLeaf[column.index()];
    if (leaf == LACKING || isEmpty(column, leaf)) {
      return otherwise;
    }
    ColumnReader reader = requirePresent(readers.get(leaf));
    long value = typeOf(reader) == PrimitiveTypeName.INT32 ? reader.getInteger() : reader.getLong();
    reader.consume();
    return value;
  }

  /** Whether a row has no value in a column that may be empty; steps on if so. */
  private boolean isEmpty(Column<?> column, int leaf) {
    ColumnReader reader = readers.get(leaf);
    boolean empty = column.nullable() && !isPresent(reader);
    if (empty) {
      reader.consume();
    }
    return empty;
  }

  @Override
  public double decimal(Column.Decimal<?> column, double otherwise) throws IOException {
    int leaf = firstLeaf[column.index()];
    if (leaf == LACKING || isEmpty(column, leaf)) {
      return otherwise;
    }
    ColumnReader reader = requirePresent(readers.get(leaf));
    double value =
        switch (typeOf(reader)) {
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

  /** The list of a column that every file has. */
  public List<String> texts(Column.Texts<?> column) throws IOException {
    return strings(readers.get(firstLeaf[column.index()]));
  }

  /** The map of a column that every file has. */
  public Map<String, String> pairs(Column.Pairs<?> column) throws IOException {
    int leaf = firstLeaf[column.index()];
    List<String> keys = strings(readers.get(leaf));
    List<String> values = strings(readers.get(leaf + 1));
    if (keys.size() != values.size()) {
      throw new IOException(
          where()
              + column.name()
              + " has "
              + keys.size()
              + " keys and "
              + values.size()
              + " values");
    }
    Map<String, String> pairs = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      pairs.put(keys.get(i), values.get(i));
    }
    return pairs;
  }

  private List<String> strings(ColumnReader reader) throws IOException {
    if (!isPresent(reader)) {
      reader.consume();
      return List.of();
    }
    List<String> values = new ArrayList<>();
    do {
      values.add(string(reader));
    } while (reader.getCurrentRepetitionLevel() == ParquetTable.FOLLOWING);
    return values;
  }

  /** Takes a string, the same object for equal strings, and steps on. */
  private String string(ColumnReader reader) throws IOException {
    requirePresent(reader);
    if (typeOf(reader) != PrimitiveTypeName.BINARY) {
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
  private static boolean isPresent(ColumnReader reader) {
    return reader.getCurrentDefinitionLevel() == reader.getDescriptor().getMaxDefinitionLevel();
  }

  private static ColumnReader requirePresent(ColumnReader reader) throws IOException {
    if (!isPresent(reader)) {
      throw new IOException("its column " + nameOf(reader) + " has an empty value");
    }
    return reader;
  }

  private static PrimitiveTypeName typeOf(ColumnReader reader) {
    return reader.getDescriptor().getPrimitiveType().getPrimitiveTypeName();
  }

  private static String nameOf(ColumnReader reader) {
    return String.join(".", reader.getDescriptor().getPath());
  }

  private String names() {
    return String.join(
        ", ", file.schema().getFields().stream().map(field -> field.getName()).toList());
  }
}
