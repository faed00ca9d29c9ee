package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads events from comma-separated values whose first line names the columns, in any order: {@code
 * kind}; {@code node}, unless the caller names it; {@code startNanos}, or {@code start} as an ISO
 * 8601 date with its offset from UTC; {@code endNanos} or {@code end}, which may be missing or
 * empty for an instant. Every other column is an attribute of the event, unless it is empty.
 */
final class EventCsv {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final Set<String> OWN =
      Set.of("node", "kind", "start", "startNanos", "end", "endNanos");

  private EventCsv() {}

  static List<Event> read(Path path, @Nullable String node) throws IOException {
    return CsvRows.read(path, rows -> read(rows, node));
  }

  private static List<Event> read(CsvRows rows, @Nullable String node) throws IOException {
    Set<String> columns = rows.columns();
    boolean dated = columns.contains("start") || columns.contains("startNanos");
    if (!columns.contains("kind") || !dated || (node == null && !columns.contains("node"))) {
      throw rows.wrong(
          "the columns are "
              + columns
              + "; expected node, kind, start and end, with times such as 2026-11-22T10:15:00.250Z,"
              + " or startNanos and endNanos since the Unix epoch");
    }
    List<Event> events = new ArrayList<>();
    while (rows.next()) {
      events.add(event(rows, node));
    }
    return events;
  }

  private static Event event(CsvRows row, @Nullable String node) throws IOException {
    Long start = time(row, "start");
    if (start == null) {
      throw row.wrong("start is empty; expected a time");
    }
    Long end = time(row, "end");
    if (end != null && end < start) {
      throw row.wrong("the end is before the start");
    }
    String kind = row.text("kind", "").strip();
    String where = row.text("node", node == null ? "" : node).strip();
    if (kind.isEmpty() || where.isEmpty()) {
      throw row.wrong((kind.isEmpty() ? "kind" : "node") + " is empty; expected a name");
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    for (String column : row.columns()) {
      String value = OWN.contains(column) ? "" : row.text(column, "");
      if (!value.isEmpty()) {
        attributes.put(column, value);
      }
    }
    return new Event(where, kind, start, end == null ? start : end, attributes);
  }

  private static @Nullable Long time(CsvRows row, String name) throws IOException {
    String nanos = row.text(name + "Nanos", "");
    if (!nanos.isEmpty()) {
      return row.required(name + "Nanos");
    }
    String date = row.text(name, "").strip();
    if (date.isEmpty()) {
      return null;
    }
    try {
      Instant instant = OffsetDateTime.parse(date).toInstant();
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
    } catch (DateTimeException | ArithmeticException e) {
      throw row.wrong(
          name + " is '" + date + "'; expected a time with its offset, 2026-11-22T10:15:00.250Z");
    }
  }
}
