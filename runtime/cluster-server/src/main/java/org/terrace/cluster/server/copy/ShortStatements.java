package org.terrace.cluster.server.copy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Short statements and their rows, as texts. */
final class ShortStatements {
  private ShortStatements() {}

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static void execute(Connection connection, List<String> statements) throws SQLException {
    for (String sql : statements) {
      execute(connection, sql);
    }
  }

  /** All rows of a query; a value is null where the server's is. */
  static List<List<@Nullable String>> rows(Connection connection, String query)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<List<@Nullable String>> rows = new ArrayList<>();
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>(width);
        for (int i = 1; i <= width; i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** The first column of all rows of a query. */
  static List<String> column(Connection connection, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    for (List<@Nullable String> row : rows(connection, query)) {
      values.add(text(row, 0));
    }
    return values;
  }

  static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNull(row.get(column));
  }
}
