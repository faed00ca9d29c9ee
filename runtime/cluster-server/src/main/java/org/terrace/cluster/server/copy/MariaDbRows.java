package org.terrace.cluster.server.copy;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table on their way to another server: read as a stream, and written in batches
 * that are bounded by bytes.
 */
final class MariaDbRows {
  /** The ways of a value. */
  private enum Way {
    TEXT,
    BYTES
  }

  private record Column(String name, String selected, Way way) {}

  private static final int ROWS_AT_ONCE = 200;
  private static final long BYTES_AT_ONCE = 1 << 19;

  private final Connection donor;
  private final Connection target;
  private final String table;

  MariaDbRows(Connection donor, Connection target, String table) {
    this.donor = donor;
    this.target = target;
    this.table = table;
  }

  /** Copies them, and says how many there were. */
  long copy() throws SQLException {
    List<Column> columns = columns();
    if (columns.isEmpty()) {
      return 0;
    }
    String name = MariaDbCopy.quoted(table);
    String selected = String.join(", ", columns.stream().map(Column::selected).toList());
    String named = String.join(", ", columns.stream().map(Column::name).toList());
    String places = String.join(", ", columns.stream().map(_ -> "?").toList());
    target.setAutoCommit(false);
    try (Statement reading =
            donor.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        PreparedStatement writing =
            target.prepareStatement(
                "INSERT INTO %s (%s) VALUES (%s)".formatted(name, named, places))) {
      reading.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet rows = reading.executeQuery("SELECT " + selected + " FROM " + name)) {
        return write(rows, writing, columns);
      }
    } finally {
      target.setAutoCommit(true);
    }
  }

  private long write(ResultSet rows, PreparedStatement writing, List<Column> columns)
      throws SQLException {
    long count = 0;
    int waiting = 0;
    long bytes = 0;
    while (rows.next()) {
      for (int i = 1; i <= columns.size(); i++) {
        byte[] raw = rows.getBytes(i);
        bytes += raw == null ? 1 : raw.length;
        if (raw == null || columns.get(i - 1).way() == Way.BYTES) {
          writing.setBytes(i, raw);
        } else {
          writing.setString(i, new String(raw, StandardCharsets.UTF_8));
        }
      }
      writing.addBatch();
      count++;
      waiting++;
      if (waiting == ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
        writing.executeBatch();
        target.commit();
        waiting = 0;
        bytes = 0;
      }
    }
    if (waiting > 0) {
      writing.executeBatch();
    }
    target.commit();
    return count;
  }

  /** The columns that have values of their own, and how each is read. */
  private List<Column> columns() throws SQLException {
    List<Column> columns = new ArrayList<>();
    for (List<@Nullable String> row :
        ShortStatements.rows(
            donor,
            "SELECT column_name, data_type FROM information_schema.columns"
                + " WHERE table_schema = DATABASE() AND table_name = '"
                + table.replace("\\", "\\\\").replace("'", "''")
                + "' AND COALESCE(generation_expression, '') = '' ORDER BY ordinal_position")) {
      String name = MariaDbCopy.quoted(ShortStatements.text(row, 0));
      columns.add(
          switch (ShortStatements.text(row, 1).toLowerCase(Locale.ROOT)) {
            case "binary",
                "varbinary",
                "tinyblob",
                "blob",
                "mediumblob",
                "longblob",
                "bit",
                "geometry",
                "point",
                "linestring",
                "polygon",
                "multipoint",
                "multilinestring",
                "multipolygon",
                "geometrycollection" ->
                new Column(name, name, Way.BYTES);
            // As text, a server shortens it to six digits.
            case "float" ->
                new Column(name, "CAST(CAST(" + name + " AS DOUBLE) AS CHAR)", Way.TEXT);
            case "year" -> new Column(name, "CAST(" + name + " + 0 AS CHAR)", Way.TEXT);
            default -> new Column(name, "CAST(" + name + " AS CHAR)", Way.TEXT);
          });
    }
    return columns;
  }
}
