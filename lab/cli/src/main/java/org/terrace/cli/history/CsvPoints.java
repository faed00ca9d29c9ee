package org.terrace.cli.history;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.Metric;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;

/**
 * Comma-separated values as points of a history: a first line with {@code time,label,metric,value},
 * {@code unit} and {@code better} beside them or not, and a line a point in the order of time.
 * Confined to one thread.
 */
final class CsvPoints {
  private static final List<String> REQUIRED = List.of("time", "label", "metric", "value");
  private static final String PER_CENT = "%";

  private final Path file;
  private final SeriesBuilder series;
  private final Times times;

  private CsvPoints(Path file, SeriesBuilder series, Times times) {
    this.file = file;
    this.series = series;
    this.times = times;
  }

  /**
   * The times of the points of all files so far.
   *
   * @param ofLabels the first time of each label
   * @param newest the newest point of each figure
   */
  private record Times(Map<String, Instant> ofLabels, Map<String, Newest> newest) {}

  /** The time of a point, and the line that it is from. */
  private record Newest(Instant time, String line) {}

  /** Adds the points of files. */
  static void addAll(List<History.Item> items, SeriesBuilder series) {
    Times times = new Times(new LinkedHashMap<>(), new HashMap<>());
    items.forEach(item -> add(item.place(), series, times));
    times.ofLabels().entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(each -> series.addResult("", each.getKey()));
  }

  private static void add(Path file, SeriesBuilder series, Times times) {
    CsvPoints points = new CsvPoints(file, series, times);
    // The reader holds the count of fields against the first row's, not against the header's.
    CsvReader.CsvReaderBuilder reader =
        CsvReader.builder()
            .detectBomHeader(true)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE);
    try (CsvReader<NamedCsvRecord> rows = reader.ofNamedCsvRecord(file)) {
      rows.forEach(points::add);
    } catch (CsvParseException e) {
      throw points.wrong("it is no CSV: " + e.getMessage());
    } catch (IOException | UncheckedIOException e) {
      throw points.wrong("it cannot be read (" + e.getMessage() + ")");
    }
  }

  private void add(NamedCsvRecord row) {
    if (!row.getHeader().containsAll(REQUIRED)) {
      throw wrong(
          "the columns are %s; expected %s, and unit or better beside them"
              .formatted(row.getHeader(), String.join(",", REQUIRED)));
    }
    if (row.getFieldCount() != row.getHeader().size()) {
      throw wrong(
          row,
          "it has %d fields, the header %d; expected as many, and a point as the decimal point"
              .formatted(row.getFieldCount(), row.getHeader().size()));
    }
    String name = row.getField("metric").strip();
    String label = row.getField("label").strip();
    if (name.isEmpty() || label.isEmpty()) {
      throw wrong(row, (name.isEmpty() ? "metric" : "label") + " is empty; expected a name");
    }
    Instant time = time(row);
    Newest before = times.newest().put(name, new Newest(time, line(row)));
    if (before != null && time.isBefore(before.time())) {
      throw wrong(
          row,
          "its time is before that of '%s' in %s; expected the oldest first, over all files"
              .formatted(name, before.line()));
    }
    times.ofLabels().merge(label, time, (one, other) -> one.isAfter(other) ? other : one);
    series.add("", metric(row, name), true, label, value(row), where(row));
  }

  private Metric metric(NamedCsvRecord row, String name) {
    String unit = row.findField("unit").orElse("").strip();
    String said = row.findField("better").orElse("").strip().toLowerCase(Locale.ROOT);
    Optional<Better> better =
        switch (said) {
          case "less" -> Optional.of(Better.LESS);
          case "more" -> Optional.of(Better.MORE);
          case "" -> Directions.ofUnit(unit);
          default -> throw wrong(row, "better is '" + said + "'; expected less or more");
        };
    return new Metric(
        name,
        unit,
        unit.equals(PER_CENT) ? Scale.DIFFERENCE : Scale.RATIO,
        better.orElseThrow(() ->
            wrong(
                row,
                "the unit '"
                    + unit
                    + "' does not tell whether less of '"
                    + name
                    + "' is better or more; say so in a column named better: less or more")),
        0,
        true);
  }

  private double value(NamedCsvRecord row) {
    String text = row.getField("value").strip();
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw wrong(row, "value is '" + text + "'; expected a number");
    }
  }

  private Instant time(NamedCsvRecord row) {
    String text = row.getField("time").strip();
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw wrong(
          row,
          "time is '"
              + text
              + "'; expected a date such as 2026-11-22, or a time with its offset,"
              + " 2026-11-22T10:15:00Z");
    }
  }

  private String where(NamedCsvRecord row) {
    return line(row) + ":";
  }

  private String line(NamedCsvRecord row) {
    return file + ": line " + row.getStartingLineNumber();
  }

  private TerraceException wrong(NamedCsvRecord row, String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, where(row) + " " + what);
  }

  private TerraceException wrong(String what) {
    return new TerraceException(ErrorCode.BAD_INPUT, file + ": " + what);
  }
}
