package org.terrace.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.terrace.board.data.Table;
import org.terrace.board.store.BoardDialect;
import org.terrace.board.store.SecretFile;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/** The program that counts the rows of a board at one server, and writes the number to a file. */
public final class BoardRows {
  private static final String USAGE =
      "--database-url URL --database-user USER [--database-password-file FILE] --out FILE";

  private BoardRows() {}

  /** Counts; see {@link #USAGE}. */
  public static void main(String[] arguments) {
    try {
      Flags flags = Flags.of(arguments);
      String url = flags.text("--database-url");
      Properties properties = new Properties();
      properties.setProperty("user", flags.text("--database-user", "board"));
      String password =
          SecretFile.read("--database-password-file", flags.text("--database-password-file", ""));
      if (!password.isEmpty()) {
        properties.setProperty("password", password);
      }
      if (BoardDialect.of(url) == BoardDialect.POSTGRESQL) {
        properties.setProperty("sslmode", "disable");
      }
      Path out = Path.of(flags.text("--out"));
      flags.end();
      try (Connection connection = DriverManager.getConnection(url, properties)) {
        Files.writeString(out, count(connection) + "\n");
      }
    } catch (SQLException | IOException e) {
      System.err.println("board: cannot count the rows: " + e.getMessage());
      System.exit(ErrorCode.CHECK_FAILED.exitCode());
    } catch (TerraceException e) {
      System.err.println("board: " + e.getMessage());
      System.err.println("Usage: BoardRows " + USAGE);
      System.exit(e.code().exitCode());
    }
  }

  /** The rows of all tables together. */
  static long count(Connection connection) throws SQLException {
    long rows = 0;
    try (Statement statement = connection.createStatement()) {
      for (Table table : Table.values()) {
        try (ResultSet result =
            statement.executeQuery("SELECT count(*) FROM " + table.tableName())) {
          result.next();
          rows += result.getLong(1);
        }
      }
    }
    return rows;
  }
}
