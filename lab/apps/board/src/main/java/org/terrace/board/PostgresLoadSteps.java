package org.terrace.board;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;
import org.terrace.board.data.BoardData;
import org.terrace.board.data.CopyText;
import org.terrace.board.data.Table;

/** The load into PostgreSQL: rows by COPY, all in the caller's transaction. */
final class PostgresLoadSteps implements LoadSteps {
  private static final List<String> DROPS =
      List.of(
          "DROP TABLE IF EXISTS categories, users, stories, old_stories, submissions, comments,"
              + " old_comments, moderator_log CASCADE",
          "DROP SEQUENCE IF EXISTS story_ids, comment_ids");
  private static final String ANALYZE =
      "ANALYZE categories, users, stories, old_stories, submissions, comments, old_comments,"
          + " moderator_log";
  private static final List<String> SEQUENCES =
      List.of(
          "SELECT setval('story_ids', greatest((SELECT max(id) FROM stories),"
              + " (SELECT max(id) FROM old_stories)))",
          "SELECT setval('comment_ids', greatest((SELECT max(id) FROM comments),"
              + " (SELECT max(id) FROM old_comments)))",
          "SELECT setval(pg_get_serial_sequence('users', 'id'), (SELECT max(id) FROM users))",
          "SELECT setval(pg_get_serial_sequence('submissions', 'id'),"
              + " (SELECT max(id) FROM submissions))",
          "SELECT setval(pg_get_serial_sequence('moderator_log', 'id'),"
              + " (SELECT coalesce(max(id), 1) FROM moderator_log))");

  private final Connection connection;
  private final Statement statement;

  PostgresLoadSteps(Connection connection, Statement statement) {
    this.connection = connection;
    this.statement = statement;
  }

  @Override
  public boolean isLoaded() throws SQLException {
    try (var rows = statement.executeQuery("SELECT to_regclass('stories') IS NOT NULL")) {
      rows.next();
      return rows.getBoolean(1);
    }
  }

  @Override
  public void drop() throws SQLException {
    for (String drop : DROPS) {
      statement.execute(drop);
    }
  }

  @Override
  public void makeTables() throws SQLException, IOException {
    statement.execute("SET LOCAL maintenance_work_mem = '128MB'");
    statement.execute("SET LOCAL synchronous_commit = off");
    statement.execute(LoadSteps.script("tables.sql"));
  }

  @Override
  public long fill(BoardData data, Table table) throws SQLException, IOException {
    PGConnection postgres = connection.unwrap(PGConnection.class);
    try (PGCopyOutputStream out = new PGCopyOutputStream(postgres, table.copyStatement())) {
      CopyText text = new CopyText(out);
      data.write(table, text);
      return text.rows();
    }
  }

  @Override
  public void makeIndexes() throws SQLException, IOException {
    statement.execute(LoadSteps.script("indexes.sql"));
  }

  @Override
  public void advanceNumbers() throws SQLException {
    for (String sequence : SEQUENCES) {
      statement.execute(sequence);
    }
  }

  @Override
  public void analyze() throws SQLException {
    statement.execute(ANALYZE);
  }
}
