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
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Reads requests from comma-separated values (RFC 4180) whose first line names the columns as the
 * requests table does, in any order; {@code .gz} is unpacked. Only {@code server}, {@code
 * arrivalNanos} and {@code departureNanos} must be there; columns of other names are passed over.
 */
final class RequestCsv {
  private static final List<String> REQUIRED = List.of("server", "arrivalNanos", "departureNanos");

  private final Map<String, Integer> positions = new HashMap<>();

  private RequestCsv() {}

  static RequestTable read(Path path) throws IOException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(path));
        InputStream bytes = path.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
        CsvReader<CsvRecord> csv =
            CsvReader.builder()
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(text)) {
      return new RequestCsv().read(csv.iterator());
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
      builder.accept(request(records.next()));
    }
    return builder.build();
  }

  private void readHeader(CsvRecord header) throws IOException {
    for (int i = 0; i < header.getFieldCount(); i++) {
      positions.put(header.getField(i).replace("\uFEFF", "").strip(), i);
    }
    for (String name : REQUIRED) {
      if (!positions.containsKey(name)) {
        throw new IOException(
            "line 1: there is no column "
                + name
                + " among "
                + header.getFields()
                + "; expected at least "
                + REQUIRED);
      }
    }
  }

  private Request request(CsvRecord line) throws IOException {
    long arrival = whole(line, "arrivalNanos", 0);
    long departure = whole(line, "departureNanos", 0);
    if (departure < arrival) {
      throw new IOException(
          at(line) + "departureNanos " + departure + " is before arrivalNanos " + arrival);
    }
    return new Request(
        text(line, "server", RequestFiles.UNKNOWN),
        text(line, "requestClass", RequestFiles.UNKNOWN),
        text(line, "client", RequestFiles.UNKNOWN),
        whole(line, "intendedNanos", arrival),
        arrival,
        departure,
        whole(line, "bytesIn", 0),
        whole(line, "bytesOut", 0),
        outcome(line),
        connection(line));
  }

  private int connection(CsvRecord line) throws IOException {
    long value = whole(line, "connection", 0);
    if (value != (int) value) {
      throw new IOException(at(line) + "connection " + value + " does not fit into 32 bits");
    }
    return (int) value;
  }

  private Outcome outcome(CsvRecord line) throws IOException {
    String name = text(line, "outcome", Outcome.OK.name());
    for (Outcome outcome : Outcome.values()) {
      if (outcome.name().equalsIgnoreCase(name)) {
        return outcome;
      }
    }
    throw new IOException(
        at(line)
            + "outcome is '"
            + name
            + "'; expected one of "
            + Arrays.toString(Outcome.values()));
  }

  private String text(CsvRecord line, String column, String otherwise) throws IOException {
    Integer position = positions.get(column);
    if (position == null) {
      return otherwise;
    }
    if (position >= line.getFieldCount()) {
      throw new IOException(
          at(line)
              + "there are only "
              + line.getFieldCount()
              + " fields, and "
              + column
              + " is number "
              + (position + 1));
    }
    String value = line.getField(position);
    return value.isEmpty() ? otherwise : value;
  }

  private long whole(CsvRecord line, String column, long otherwise) throws IOException {
    String value = text(line, column, "").strip();
    if (value.isEmpty()) {
      if (REQUIRED.contains(column)) {
        throw new IOException(at(line) + column + " is empty; expected a whole number");
      }
      return otherwise;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IOException(
          at(line) + column + " is '" + value + "'; expected a whole number of its unit", e);
    }
  }

  private static String at(CsvRecord line) {
    return "line " + line.getStartingLineNumber() + ": ";
  }
}
