package org.terrace.observation;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.TableRow;

/**
 * The rows of comma-separated values (RFC 4180) whose first line names the columns, in any order;
 * {@code .gz} is unpacked. An error names the line and the column. Confined to one thread.
 */
final class CsvRows implements TableRow {
  private final Map<String, Integer> positions = new LinkedHashMap<>();
  private final Iterator<CsvRecord> records;
  private CsvRecord row;

  /** The consumer of all rows of a file. */
  interface Reading<T> {
    T from(CsvRows rows) throws IOException;
  }

  private CsvRows(Iterator<CsvRecord> records) throws IOException {
    if (!records.hasNext()) {
      throw new IOException("it is empty; expected a first line with the names of the columns");
    }
    this.records = records;
    this.row = records.next();
    for (int i = 0; i < row.getFieldCount(); i++) {
      positions.put(row.getField(i).replace("\uFEFF", "").strip(), i);
    }
  }

  /** Opens a file, hands its rows over, and closes it. */
  static <T> T read(Path path, Reading<T> reading) throws IOException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(path));
        InputStream bytes = path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
        CsvReader<CsvRecord> csv =
            CsvReader.builder()
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(text)) {
      return reading.from(new CsvRows(csv.iterator()));
    } catch (CsvParseException e) {
      throw new IOException("it is no CSV: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The names in the first line, in their order. */
  Set<String> columns() {
    return positions.keySet();
  }

  /** Goes to the next row, and tells whether there is one. */
  boolean next() {
    if (!records.hasNext()) {
      return false;
    }
    row = records.next();
    return true;
  }

  @Override
  public String text(Column.Text<?> column, String otherwise) throws IOException {
    return text(column.name(), otherwise);
  }

  @Override
  public long whole(Column.Whole<?> column, long otherwise) throws IOException {
    return column.required() ? required(column.name()) : whole(column.name(), otherwise);
  }

  @Override
  public double decimal(Column.Decimal<?> column, double otherwise) throws IOException {
    String value = text(column.name(), "").strip();
    if (value.isEmpty()) {
      return otherwise;
    }
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IOException(where() + column.name() + " is '" + value + "'; expected a number", e);
    }
  }

  /** The value in a column of this row; {@code otherwise} if the column or the value is missing. */
  String text(String column, String otherwise) throws IOException {
    Integer position = positions.get(column);
    if (position == null) {
      return otherwise;
    }
    if (position >= row.getFieldCount()) {
      throw wrong(
          "there are only "
              + row.getFieldCount()
              + " fields, and "
              + column
              + " is number "
              + (position + 1));
    }
    String value = row.getField(position);
    return value.isEmpty() ? otherwise : value;
  }

  /** The whole number in a column of this row, or {@code otherwise}. */
  long whole(String column, long otherwise) throws IOException {
    String value = text(column, "").strip();
    return value.isEmpty() ? otherwise : parsed(column, value);
  }

  /** The whole number in a column of this row. */
  long required(String column) throws IOException {
    String value = text(column, "").strip();
    if (value.isEmpty()) {
      throw wrong(column + " is empty; expected a whole number");
    }
    return parsed(column, value);
  }

  private long parsed(String column, String value) throws IOException {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IOException(
          where() + column + " is '" + value + "'; expected a whole number of its unit", e);
    }
  }

  /** The error of this row. */
  IOException wrong(String what) {
    return new IOException(where() + what);
  }

  @Override
  public String where() {
    return "line " + row.getStartingLineNumber() + ": ";
  }
}
