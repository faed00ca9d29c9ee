package org.terrace.board;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.terrace.board.data.BoardData;
import org.terrace.board.data.Table;
import org.terrace.board.store.Database;

/** The steps by which a board is loaded into a database system. Confined to one thread. */
interface LoadSteps {
  /** Whether there is a board already. */
  boolean isLoaded() throws SQLException;

  /** Drops the board that is there, if there is one. */
  void drop() throws SQLException;

  /** Makes the tables. */
  void makeTables() throws SQLException, IOException;

  /**
   * Fills a table.
   *
   * @return how many rows it has
   */
  long fill(BoardData data, Table table) throws SQLException, IOException;

  /** Makes keys, indexes and references. */
  void makeIndexes() throws SQLException, IOException;

  /** Lets new rows have greater numbers than those that are there. */
  void advanceNumbers() throws SQLException;

  /** Makes the system gather statistics of the rows, so that it plans well. */
  void analyze() throws SQLException;

  /** A script of the jar. */
  static String script(String name) throws IOException {
    try (InputStream file = Database.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
