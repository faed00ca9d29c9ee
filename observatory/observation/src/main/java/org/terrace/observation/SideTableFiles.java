package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Binary;

/** The tables beside the requests (servers, samples and events) as Parquet files. */
final class SideTableFiles {
  /** Repetition levels: the first element of a row's collection, and those that follow. */
  private static final int FIRST = 0;

  private static final int FOLLOWING = 1;

  /** Definition levels: an empty collection, and an element. */
  private static final int EMPTY = 0;

  private static final int ELEMENT = 1;

  private SideTableFiles() {}

  static void writeServers(Path path, List<Server> servers) throws IOException {
    try (ParquetTableWriter file = new ParquetTableWriter(path, TableSchemas.SERVERS)) {
      List<ColumnWriter> columns = file.columns();
      for (Server server : servers) {
        columns.get(0).write(Binary.fromString(server.name()), 0, 0);
        columns.get(1).write(Binary.fromString(server.tier()), 0, 0);
        writeAll(columns.get(2), server.addresses());
        file.endRow();
      }
      file.commit();
    }
  }

  static List<Server> readServers(Path path) throws IOException {
    List<Server> servers = new ArrayList<>();
    try (ParquetTableReader file = new ParquetTableReader(path)) {
      TableColumns table = new TableColumns(file);
      for (BlockMetaData rowGroup : file.rowGroups()) {
        List<ColumnReader> readers =
            table.open(
                rowGroup,
                List.of(
                    table.require("name"),
                    table.require("tier"),
                    table.require("addresses", "list", "element")));
        for (long left = rowGroup.getRowCount(); left > 0; left--) {
          String name = table.string(readers.get(0));
          String tier = table.string(readers.get(1));
          servers.add(new Server(name, tier, readAll(table, readers.get(2))));
        }
      }
    }
    return servers;
  }

  static void writeSamples(Path path, List<Sample> samples) throws IOException {
    try (ParquetTableWriter file = new ParquetTableWriter(path, TableSchemas.SAMPLES)) {
      List<ColumnWriter> columns = file.columns();
      for (Sample sample : samples) {
        columns.get(0).write(Binary.fromString(sample.node()), 0, 0);
        columns.get(1).write(Binary.fromString(sample.resource()), 0, 0);
        columns.get(2).write(sample.timeNanos(), 0, 0);
        columns.get(3).write(sample.value(), 0, 0);
        file.endRow();
      }
      file.commit();
    }
  }

  static List<Sample> readSamples(Path path) throws IOException {
    List<Sample> samples = new ArrayList<>();
    try (ParquetTableReader file = new ParquetTableReader(path)) {
      TableColumns table = new TableColumns(file);
      for (BlockMetaData rowGroup : file.rowGroups()) {
        List<ColumnReader> readers =
            table.open(
                rowGroup,
                List.of(
                    table.require("node"),
                    table.require("resource"),
                    table.requireWhole("timeNanos"),
                    table.require("value")));
        for (long left = rowGroup.getRowCount(); left > 0; left--) {
          samples.add(
              new Sample(
                  table.string(readers.get(0)),
                  table.string(readers.get(1)),
                  TableColumns.whole(readers.get(2)),
                  TableColumns.number(readers.get(3))));
        }
      }
    }
    return samples;
  }

  static void writeEvents(Path path, List<Event> events) throws IOException {
    try (ParquetTableWriter file = new ParquetTableWriter(path, TableSchemas.EVENTS)) {
      List<ColumnWriter> columns = file.columns();
      for (Event event : events) {
        Map<String, String> attributes = new TreeMap<>(event.attributes());
        columns.get(0).write(Binary.fromString(event.node()), 0, 0);
        columns.get(1).write(Binary.fromString(event.kind()), 0, 0);
        columns.get(2).write(event.startNanos(), 0, 0);
        columns.get(3).write(event.endNanos(), 0, 0);
        writeAll(columns.get(4), List.copyOf(attributes.keySet()));
        writeAll(columns.get(5), List.copyOf(attributes.values()));
        file.endRow();
      }
      file.commit();
    }
  }

  static List<Event> readEvents(Path path) throws IOException {
    List<Event> events = new ArrayList<>();
    try (ParquetTableReader file = new ParquetTableReader(path)) {
      TableColumns table = new TableColumns(file);
      for (BlockMetaData rowGroup : file.rowGroups()) {
        List<ColumnReader> readers =
            table.open(
                rowGroup,
                List.of(
                    table.require("node"),
                    table.require("kind"),
                    table.requireWhole("startNanos"),
                    table.requireWhole("endNanos"),
                    table.require("attributes", "key_value", "key"),
                    table.require("attributes", "key_value", "value")));
        for (long left = rowGroup.getRowCount(); left > 0; left--) {
          events.add(readEvent(table, readers));
        }
      }
    }
    return events;
  }

  private static Event readEvent(TableColumns table, List<ColumnReader> readers)
      throws IOException {
    String node = table.string(readers.get(0));
    String kind = table.string(readers.get(1));
    long start = TableColumns.whole(readers.get(2));
    long end = TableColumns.whole(readers.get(3));
    List<String> keys = readAll(table, readers.get(4));
    List<String> values = readAll(table, readers.get(5));
    if (end < start || keys.size() != values.size()) {
      throw new IOException("an event of " + node + " ends before it starts or is damaged");
    }
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      attributes.put(keys.get(i), values.get(i));
    }
    return new Event(node, kind, start, end, attributes);
  }

  private static void writeAll(ColumnWriter column, List<String> values) {
    if (values.isEmpty()) {
      column.writeNull(FIRST, EMPTY);
    }
    for (int i = 0; i < values.size(); i++) {
      column.write(Binary.fromString(values.get(i)), i == 0 ? FIRST : FOLLOWING, ELEMENT);
    }
  }

  private static List<String> readAll(TableColumns table, ColumnReader reader) throws IOException {
    if (!TableColumns.present(reader)) {
      reader.consume();
      return List.of();
    }
    List<String> values = new ArrayList<>();
    do {
      values.add(table.string(reader));
    } while (reader.getCurrentRepetitionLevel() == FOLLOWING);
    return values;
  }
}
