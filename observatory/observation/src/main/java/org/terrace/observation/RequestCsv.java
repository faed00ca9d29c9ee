package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Reads requests from comma-separated values whose first line names the columns as the requests
 * table does, in any order. Only {@code server}, {@code arrivalNanos} and {@code departureNanos}
 * must be there; columns of other names are passed over.
 */
final class RequestCsv {
  private static final List<String> REQUIRED = List.of("server", "arrivalNanos", "departureNanos");

  private RequestCsv() {}

  static RequestTable read(Path path) throws IOException {
    return CsvRows.read(path, RequestCsv::read);
  }

  private static RequestTable read(CsvRows rows) throws IOException {
    for (String name : REQUIRED) {
      if (!rows.columns().contains(name)) {
        throw rows.wrong(
            "there is no column "
                + name
                + " among "
                + rows.columns()
                + "; expected at least "
                + REQUIRED);
      }
    }
    RequestTable.Builder builder = new RequestTable.Builder();
    while (rows.next()) {
      builder.accept(request(rows));
    }
    return builder.build();
  }

  private static Request request(CsvRows row) throws IOException {
    long arrival = row.required("arrivalNanos");
    long departure = row.required("departureNanos");
    if (departure < arrival) {
      throw row.wrong("departureNanos " + departure + " is before arrivalNanos " + arrival);
    }
    return new Request(
        row.text("server", RequestFiles.UNKNOWN),
        row.text("requestClass", RequestFiles.UNKNOWN),
        row.text("client", RequestFiles.UNKNOWN),
        row.whole("intendedNanos", arrival),
        arrival,
        departure,
        row.whole("bytesIn", 0),
        row.whole("bytesOut", 0),
        outcome(row),
        connection(row));
  }

  private static int connection(CsvRows row) throws IOException {
    long value = row.whole("connection", 0);
    if (value != (int) value) {
      throw row.wrong("connection " + value + " does not fit into 32 bits");
    }
    return (int) value;
  }

  private static Outcome outcome(CsvRows row) throws IOException {
    String name = row.text("outcome", Outcome.OK.name());
    for (Outcome outcome : Outcome.values()) {
      if (outcome.name().equalsIgnoreCase(name)) {
        return outcome;
      }
    }
    throw row.wrong(
        "outcome is '" + name + "'; expected one of " + Arrays.toString(Outcome.values()));
  }
}
