package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.Engine;

/**
 * A table to compare.
 *
 * @param shown its name, for people
 * @param quoted its name in SQL
 * @param key the columns of its primary key in SQL, in order; empty: it has none
 */
public record ComparedTable(Engine engine, String shown, String quoted, List<String> key) {
  private static final Set<String> SYSTEM =
      Set.of("terrace", "pg_catalog", "information_schema", "mysql", "performance_schema", "sys");
  private static final int FETCHED_ROWS = 1_000;

  /** A receiver of rows. */
  @FunctionalInterface
  public interface RowVisitor {
    void visit(List<String> key, String row) throws SQLException;
  }

  /** All tables of users. */
  public static List<ComparedTable> of(Connection connection, Engine engine) throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    String quote = meta.getIdentifierQuoteString();
    Map<String, ComparedTable> tables = new TreeMap<>();
    try (ResultSet rows =
        meta.getTables(
            connection.getCatalog(),
            null,
            "%",
            new String[] {"TABLE", "BASE TABLE", "PARTITIONED TABLE"})) {
      while (rows.next()) {
        String schema = rows.getString("TABLE_SCHEM");
        String name = rows.getString("TABLE_NAME");
        boolean own = engine == Engine.MARIADB && name.startsWith("terrace_");
        if (!own && !SYSTEM.contains(String.valueOf(schema).toLowerCase(Locale.ROOT))) {
          String prefix = schema == null ? "" : schema + ".";
          String quotedPrefix = schema == null ? "" : quote(quote, schema) + ".";
          tables.put(
              prefix + name,
              new ComparedTable(
                  engine,
                  prefix + name,
                  quotedPrefix + quote(quote, name),
                  key(meta, connection.getCatalog(), schema, name, quote)));
        }
      }
    }
    return List.copyOf(tables.values());
  }

  private static List<String> key(
      DatabaseMetaData meta,
      @Nullable String catalog,
      @Nullable String schema,
      String table,
      String quote)
      throws SQLException {
    Map<Integer, String> columns = new TreeMap<>();
    try (ResultSet rows = meta.getPrimaryKeys(catalog, schema, table)) {
      while (rows.next()) {
        columns.put((int) rows.getShort("KEY_SEQ"), quote(quote, rows.getString("COLUMN_NAME")));
      }
    }
    return List.copyOf(columns.values());
  }

  private static String quote(String quote, String name) {
    return quote + name.replace(quote, quote + quote) + quote;
  }

  /** Reads all rows in the order of the key, a part at a time. */
  public void read(Connection connection, RowVisitor visitor) throws SQLException {
    String order = key.isEmpty() ? "" : " ORDER BY " + String.join(", ", key);
    boolean alone = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCHED_ROWS);
      try (ResultSet rows = statement.executeQuery(query() + order)) {
        visit(rows, visitor);
      }
      connection.commit();
    } finally {
      connection.setAutoCommit(alone);
    }
  }

  /** Reads one row; empty: it is not there. */
  public String readOne(Connection connection, List<String> values) throws SQLException {
    List<String> conditions = new ArrayList<>();
    key.forEach(column -> conditions.add(column + " = ?"));
    String[] found = {""};
    try (PreparedStatement statement =
        connection.prepareStatement(query() + " WHERE " + String.join(" AND ", conditions))) {
      for (int i = 0; i < values.size(); i++) {
        switch (engine) {
          // The server reads the text as the column's type, so that its index serves.
          case POSTGRESQL -> statement.setObject(i + 1, values.get(i), Types.OTHER);
          case MARIADB -> statement.setString(i + 1, values.get(i));
        }
      }
      try (ResultSet rows = statement.executeQuery()) {
        visit(rows, (_, row) -> found[0] = row);
      }
    }
    return found[0];
  }

  private String query() {
    String keys = key.isEmpty() ? "" : String.join(", ", key) + ", ";
    return "SELECT " + keys + "t.* FROM " + quoted + " t";
  }

  private void visit(ResultSet rows, RowVisitor visitor) throws SQLException {
    int width = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= key.size(); i++) {
        values.add(rows.getString(i));
      }
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = key.size() + 1; i <= width; i++) {
        row.put(rows.getMetaData().getColumnLabel(i), String.valueOf(rows.getString(i)));
      }
      visitor.visit(values, row.toString());
    }
  }
}
