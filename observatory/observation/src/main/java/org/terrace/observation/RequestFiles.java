package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** The requests table as a Parquet file. */
final class RequestFiles {
  /** The name of a request class or client that the input does not tell. */
  static final String UNKNOWN = "unknown";

  private static final Outcome[] OUTCOMES = Outcome.values();

  private RequestFiles() {}

  static void write(Path path, RequestTable table) throws IOException {
    Binary[] servers = binaries(table.servers());
    Binary[] classes = binaries(table.requestClasses());
    Binary[] clients = binaries(table.clients());
    Binary[] outcomes = binaries(Arrays.stream(OUTCOMES).map(Outcome::name).toList());
    try (ParquetTableWriter file = new ParquetTableWriter(path, TableSchemas.REQUESTS)) {
      List<ColumnWriter> columns = file.columns();
      for (int row = 0; row < table.size(); row++) {
        columns.get(0).write(servers[table.server(row)], 0, 0);
        columns.get(1).write(classes[table.requestClass(row)], 0, 0);
        columns.get(2).write(clients[table.client(row)], 0, 0);
        columns.get(3).write(table.intendedNanos(row), 0, 0);
        columns.get(4).write(table.arrivalNanos(row), 0, 0);
        columns.get(5).write(table.departureNanos(row), 0, 0);
        columns.get(6).write(table.bytesIn(row), 0, 0);
        columns.get(7).write(table.bytesOut(row), 0, 0);
        columns.get(8).write(outcomes[table.outcome(row).ordinal()], 0, 0);
        columns.get(9).write(table.connection(row), 0, 0);
        file.endRow();
      }
      file.commit();
    }
  }

  /**
   * Reads a table of requests from any writer. Only {@code server}, {@code arrivalNanos} and {@code
   * departureNanos} must be there.
   */
  static RequestTable read(Path path) throws IOException {
    RequestTable.Builder builder = new RequestTable.Builder();
    try (ParquetTableReader file = new ParquetTableReader(path)) {
      Columns columns = new Columns(new TableColumns(file));
      long row = 0;
      for (BlockMetaData rowGroup : file.rowGroups()) {
        columns.open(rowGroup);
        for (long left = rowGroup.getRowCount(); left > 0; left--) {
          builder.accept(columns.next(row++));
        }
      }
    }
    return builder.build();
  }

  private static Binary[] binaries(List<String> values) {
    return values.stream().map(Binary::fromString).toArray(Binary[]::new);
  }

  /** The columns that the file has, and those that it lacks as null. */
  private static final class Columns {
    private final TableColumns table;
    private final List<ColumnDescriptor> present = new ArrayList<>();
    private final Map<String, Integer> positions = new HashMap<>();
    private List<ColumnReader> readers = List.of();

    Columns(TableColumns table) throws IOException {
      this.table = table;
      add("server", table.require("server"));
      for (String name : List.of("arrivalNanos", "departureNanos")) {
        add(name, table.requireWhole(name));
      }
      for (String name : List.of("requestClass", "client", "outcome")) {
        add(name, table.find(name));
      }
      for (String name : List.of("intendedNanos", "bytesIn", "bytesOut", "connection")) {
        ColumnDescriptor column = table.find(name);
        if (column != null) {
          TableColumns.checkWhole(column);
        }
        add(name, column);
      }
    }

    private void add(String name, @Nullable ColumnDescriptor column) {
      if (column != null) {
        positions.put(name, present.size());
        present.add(column);
      }
    }

    void open(BlockMetaData rowGroup) {
      readers = table.open(rowGroup, present);
    }

    Request next(long row) throws IOException {
      String server = text("server", UNKNOWN);
      long arrival = whole("arrivalNanos", 0);
      long departure = whole("departureNanos", 0);
      if (departure < arrival) {
        throw new IOException(
            "in row %,d departureNanos %d is before arrivalNanos %d"
                .formatted(row, departure, arrival));
      }
      return new Request(
          server,
          text("requestClass", UNKNOWN),
          text("client", UNKNOWN),
          whole("intendedNanos", arrival),
          arrival,
          departure,
          whole("bytesIn", 0),
          whole("bytesOut", 0),
          outcome(text("outcome", Outcome.OK.name()), row),
          Math.toIntExact(whole("connection", 0)));
    }

    private String text(String name, String otherwise) throws IOException {
      Integer position = positions.get(name);
      return position == null ? otherwise : table.string(readers.get(position));
    }

    private long whole(String name, long otherwise) throws IOException {
      Integer position = positions.get(name);
      return position == null ? otherwise : TableColumns.whole(readers.get(position));
    }

    private static Outcome outcome(String name, long row) throws IOException {
      for (Outcome outcome : OUTCOMES) {
        if (outcome.name().equals(name)) {
          return outcome;
        }
      }
      throw new IOException(
          "in row %,d outcome is '%s'; expected one of %s".formatted(row, name, List.of(OUTCOMES)));
    }
  }
}
