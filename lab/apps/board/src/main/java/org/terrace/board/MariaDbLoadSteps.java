package org.terrace.board;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.terrace.board.data.BoardData;
import org.terrace.board.data.CopyText;
import org.terrace.board.data.Table;

/**
 * The load into MariaDB: rows by LOAD DATA, as they are made. A definition ends the transaction, so
 * that a load which fails leaves what it had made.
 */
final class MariaDbLoadSteps implements LoadSteps {
  private static final int PIPE_BYTES = 1 << 20;
  private static final List<String> SEQUENCES = List.of("story_ids", "comment_ids");
  private static final List<List<String>> NUMBERED =
      List.of(List.of("stories", "old_stories"), List.of("comments", "old_comments"));

  private final Statement statement;

  MariaDbLoadSteps(Statement statement) {
    this.statement = statement;
  }

  @Override
  public boolean isLoaded() throws SQLException {
    return number(
            "SELECT count(*) FROM information_schema.tables"
                + " WHERE table_schema = database() AND table_name = 'stories'")
        > 0;
  }

  @Override
  public void drop() throws SQLException {
    statement.execute("SET SESSION foreign_key_checks = 0");
    for (Table table : Table.values()) {
      statement.execute("DROP TABLE IF EXISTS " + table.tableName());
    }
    for (String sequence : SEQUENCES) {
      statement.execute("DROP SEQUENCE IF EXISTS " + sequence);
    }
    statement.execute("SET SESSION foreign_key_checks = 1");
  }

  @Override
  public void makeTables() throws SQLException, IOException {
    run("tables-mariadb.sql");
  }

  @Override
  public long fill(BoardData data, Table table) throws SQLException, IOException {
    return fill(statement, data, table);
  }

  /** Sends a table's rows as they are made, and gives their number. */
  static long fill(Statement statement, BoardData data, Table table)
      throws SQLException, IOException {
    try (PipedInputStream in = new PipedInputStream(PIPE_BYTES);
        PipedOutputStream out = new PipedOutputStream(in)) {
      CompletableFuture<Long> rows = CompletableFuture.supplyAsync(() -> write(data, table, out));
      statement.unwrap(org.mariadb.jdbc.Statement.class).setLocalInfileInputStream(in);
      long taken = statement.executeLargeUpdate(table.loadStatement());
      long written = rows.join();
      if (taken != written) {
        throw new SQLException(
            "%d of %d rows of %s arrived".formatted(taken, written, table.tableName()));
      }
      return written;
    } catch (CompletionException e) {
      throw new IOException("the rows of " + table.tableName() + " could not be sent", e);
    }
  }

  private static long write(BoardData data, Table table, PipedOutputStream out) {
    try (out) {
      CopyText text = new CopyText(out);
      data.write(table, text);
      return text.rows();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  @Override
  public void makeIndexes() throws SQLException, IOException {
    run("indexes-mariadb.sql");
  }

  /** Columns that number themselves know what they have. */
  @Override
  public void advanceNumbers() throws SQLException {
    for (int i = 0; i < SEQUENCES.size(); i++) {
      long greatest = 0;
      for (String table : NUMBERED.get(i)) {
        greatest = Math.max(greatest, number("SELECT coalesce(max(id), 0) FROM " + table));
      }
      statement.execute(
          String.format(Locale.ROOT, "DO setval(%s, %d)", SEQUENCES.get(i), greatest));
    }
  }

  @Override
  public void analyze() throws SQLException {
    for (Table table : Table.values()) {
      statement.execute("ANALYZE TABLE " + table.tableName());
    }
  }

  private long number(String query) throws SQLException {
    try (var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void run(String name) throws SQLException, IOException {
    for (String one : LoadSteps.script(name).split(";\\n", -1)) {
      if (!one.isBlank()) {
        statement.execute(one);
      }
    }
  }
}
