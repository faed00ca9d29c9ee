package org.terrace.observation;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.table.AtomicFile;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.TableColumns;

/**
 * A table as comma-separated values (RFC 4180, UTF-8) with the names of its columns in the first
 * line, written as its {@link TableColumns} describe it. A value that is absent is an empty field.
 * Texts are kept as they are and quoted where they hold a comma, a quote or the end of a line.
 * Stateless and thread-safe.
 */
final class CsvTable<R> {
  private final List<Column<R>> columns;

  /**
   * The form of a table.
   *
   * @throws IllegalArgumentException if a column holds lists or maps, for which CSV has no form
   */
  CsvTable(TableColumns<R> description) {
    columns = description.columns();
    for (Column<R> column : columns) {
      if (column instanceof Column.Texts<R> || column instanceof Column.Pairs<R>) {
        throw holdsNoField(column);
      }
    }
  }

  /** Writes a file whole or not at all, one row at a time. */
  void write(Path path, Iterable<R> rows) throws IOException {
    try (AtomicFile file = new AtomicFile(path)) {
      try (Writer text =
              new OutputStreamWriter(
                  new BufferedOutputStream(Files.newOutputStream(file.temporary())),
                  StandardCharsets.UTF_8);
          CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(text)) {
        csv.writeRecord(columns.stream().map(Column::name).toList());
        String[] fields = new String[columns.size()];
        for (R row : rows) {
          for (int i = 0; i < fields.length; i++) {
            fields[i] = field(columns.get(i), row);
          }
          csv.writeRecord(fields);
        }
      }
      file.commit();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static <R> String field(Column<R> column, R row) {
    return switch (column) {
      case Column.Text<R> text -> {
        @Nullable String value = text.value().apply(row);
        yield value == null ? "" : value;
      }
      case Column.Whole<R> whole -> {
        long value = whole.value().applyAsLong(row);
        yield whole.nullable() && value == Column.ABSENT ? "" : Long.toString(value);
      }
      case Column.Decimal<R> decimal -> {
        double value = decimal.value().applyAsDouble(row);
        yield decimal.nullable() && Double.isNaN(value) ? "" : Double.toString(value);
      }
      case Column.Texts<R> _, Column.Pairs<R> _ -> throw holdsNoField(column);
    };
  }

  private static IllegalArgumentException holdsNoField(Column<?> column) {
    return new IllegalArgumentException(
        column.name() + " holds lists or maps, which have no form in CSV; write Parquet");
  }
}
