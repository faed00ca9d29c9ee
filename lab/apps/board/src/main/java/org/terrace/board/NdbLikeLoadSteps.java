package org.terrace.board;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.board.data.BoardData;
import org.terrace.board.data.Table;
import org.terrace.board.partitions.NdbLikeDatabase;

/**
 * The load into SQL nodes before partitioned data nodes: definitions at each node, rows through one
 * SQL node. A load that fails leaves what it had made.
 */
final class NdbLikeLoadSteps implements LoadSteps {
  private static final String NICKNAMES = "nicknames";

  /** The tables that are numbered by each sequence. */
  private static final Map<String, List<String>> SEQUENCES = new LinkedHashMap<>();

  static {
    SEQUENCES.put("user_ids", List.of("users"));
    SEQUENCES.put("story_ids", List.of("stories", "old_stories"));
    SEQUENCES.put("submission_ids", List.of("submissions"));
    SEQUENCES.put("comment_ids", List.of("comments", "old_comments"));
    SEQUENCES.put("log_ids", List.of("moderator_log"));
  }

  private final Connection connection;
  private final Statement statement;
  private final NdbLikeDatabase database;

  NdbLikeLoadSteps(Connection connection, Statement statement) throws SQLException {
    this.connection = connection;
    this.statement = statement;
    String user = connection.getMetaData().getUserName();
    this.database =
        NdbLikeDatabase.of(connection.getMetaData().getURL(), user.replaceAll("@.*", ""));
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
    connection.commit();
    for (Table table : Table.values()) {
      database.dropTable(table.tableName());
    }
    database.dropTable(NICKNAMES);
    for (String sequence : SEQUENCES.keySet()) {
      database.atSqlNodes("DROP SEQUENCE IF EXISTS " + sequence);
    }
  }

  @Override
  public void makeTables() throws SQLException, IOException {
    connection.commit();
    for (String sequence : SEQUENCES.keySet()) {
      database.createSequence(sequence);
    }
    database.createTables(LoadSteps.script("tables-ndb-like.sql"));
  }

  @Override
  public long fill(BoardData data, Table table) throws SQLException, IOException {
    long rows = MariaDbLoadSteps.fill(statement, data, table);
    // A group copies a transaction as a whole, so it had better be no larger than a table.
    connection.commit();
    return rows;
  }

  /** The indexes are there with the tables; what is left is which nickname is whose. */
  @Override
  public void makeIndexes() throws SQLException {
    statement.execute("INSERT INTO nicknames (nickname, user) SELECT nickname, id FROM users");
    connection.commit();
  }

  @Override
  public void advanceNumbers() throws SQLException {
    for (Map.Entry<String, List<String>> sequence : SEQUENCES.entrySet()) {
      long greatest = 0;
      for (String table : sequence.getValue()) {
        greatest = Math.max(greatest, number("SELECT coalesce(max(id), 0) FROM " + table));
      }
      database.advance(sequence.getKey(), greatest);
    }
    connection.commit();
  }

  @Override
  public void analyze() throws SQLException {
    for (Table table : Table.values()) {
      database.analyze(table.tableName());
    }
  }

  private long number(String query) throws SQLException {
    try (var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
