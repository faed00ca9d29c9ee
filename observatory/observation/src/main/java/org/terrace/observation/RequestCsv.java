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
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Reads requests from comma-separated values (RFC 4180) whose first line names the columns as the
 * requests table does, in any order; {@code .gz} is unpacked. Columns of other names are passed
 * over; an empty field is as good as none.
 */
final class RequestCsv {
  private final RequestColumns columns;
  private final Map<String, Integer> positions = new HashMap<>();

  private RequestCsv(RequestColumns columns) {
    this.columns = columns;
  }

  static RequestTable read(Path path, RequestColumns columns) throws IOException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(path));
        InputStream bytes = path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
        CsvReader<CsvRecord> csv =
            CsvReader.builder()
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(text)) {
      return new RequestCsv(columns).read(csv.iterator());
    } catch (CsvParseException e) {
      throw new IOException("it is no CSV: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private RequestTable read(Iterator<CsvRecord> records) throws IOException {
    if (!records.hasNext()) {
      throw new IOException("it is empty; expected a first line with the names of the columns");
    }
    readHeader(records.next());
    RequestTable.Builder builder = new RequestTable.Builder();
    while (records.hasNext()) {
      builder.accept(columns.request(new Line(records.next())));
    }
    return builder.build();
  }

  private void readHeader(CsvRecord header) throws IOException {
    for (int i = 0; i < header.getFieldCount(); i++) {
      positions.put(header.getField(i).replace("\uFEFF", "").strip(), i);
    }
    List<String> required =
        columns.columns().stream().filter(Column::required).map(Column::name).toList();
    for (String name : required) {
      if (!positions.containsKey(name)) {
        throw new IOException(
            "line 1: there is no column "
                + name
                + " among "
                + header.getFields()
                + "; expected at least "
                + required);
      }
    }
  }

  /** A line behind the first. */
  private final class Line implements TableRow {
    private final CsvRecord line;

    Line(CsvRecord line) {
      this.line = line;
    }

    @Override
    public String where() {
      return "line " + line.getStartingLineNumber() + ": ";
    }

    @Override
    public String text(Column.Text<?> column, String otherwise) throws IOException {
      String value = field(column);
      return value.isEmpty() ? otherwise : value;
    }

    @Override
    public long whole(Column.Whole<?> column, long otherwise) throws IOException {
      String value = field(column).strip();
      if (value.isEmpty()) {
        if (column.required()) {
          throw new IOException(where() + column.name() + " is empty; expected a whole number");
        }
        return otherwise;
      }
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw new IOException(
            "%s%s is '%s'; expected a whole number of its unit"
                .formatted(where(), column.name(), value),
            e);
      }
    }

    private String field(Column<?> column) throws IOException {
      Integer position = positions.get(column.name());
      if (position == null) {
        return "";
      }
      if (position >= line.getFieldCount()) {
        throw new IOException(
            "%sthere are only %d fields, and %s is number %d"
                .formatted(where(), line.getFieldCount(), column.name(), position + 1));
      }
      return line.getField(position);
    }
  }
}
