package org.terrace.cluster.server.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.RefusedStatementException;
import org.terrace.cluster.sql.SessionSetting;

/**
 * A statement with its values, ready to be executed at any replica, any number of times.
 *
 * @param rows the parameters of each row of a batch; one row if it is none, empty without any
 * @param batch whether it is a batch
 */
public record StatementRequest(
    String sql,
    List<List<BoundParameter>> rows,
    boolean batch,
    KeysWanted keys,
    StatementOptions options) {

  public StatementRequest {
    rows = List.copyOf(rows);
  }

  /** A statement of the cluster's own, without values. */
  public static StatementRequest own(String sql) {
    return new StatementRequest(sql, List.of(), false, KeysWanted.NONE, StatementOptions.USUAL);
  }

  /** A setting with its values instead of its parameters. */
  public StatementRequest inline(Engine engine) throws RefusedStatementException {
    List<@Nullable Object> values = new ArrayList<>();
    rows.stream().limit(1).flatMap(List::stream).forEach(one -> values.add(one.value()));
    return with(SessionSetting.inline(sql, engine, values), List.of());
  }

  public StatementRequest with(String newSql, List<List<BoundParameter>> newRows) {
    return new StatementRequest(newSql, newRows, batch, keys, options);
  }

  /** The statement with all of its rows fetched at once, as its transaction ends before them. */
  public StatementRequest inOnePage() {
    return new StatementRequest(sql, rows, batch, keys, options.withFetchRows(0));
  }

  /** Executes a query whose rows nobody compares. */
  public OpenResult read(Connection connection, RunningStatements running) throws SQLException {
    Statement statement = make(connection, options.resultType());
    statement.setQueryTimeout(options.timeoutSeconds());
    return execute(statement, running, false);
  }

  /**
   * Executes a write; what it returns can be read twice. Its time is not limited here: a server
   * that gives up of its own accord what others have done differs from them.
   */
  public OpenResult write(Connection connection, RunningStatements running) throws SQLException {
    Statement statement = make(connection, ResultSet.TYPE_SCROLL_INSENSITIVE);
    return execute(statement, running, true);
  }

  private Statement make(Connection connection, int type) throws SQLException {
    Statement statement;
    if (rows.isEmpty()) {
      statement = connection.createStatement(type, ResultSet.CONCUR_READ_ONLY);
    } else if (!keys.any()) {
      statement = connection.prepareStatement(sql, type, ResultSet.CONCUR_READ_ONLY);
    } else if (keys.columns().isEmpty()) {
      statement = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS);
    } else {
      statement = connection.prepareStatement(sql, keys.columns().toArray(String[]::new));
    }
    statement.setMaxRows(options.maxRows());
    statement.setFetchSize(options.fetchRows());
    return statement;
  }

  private OpenResult execute(Statement statement, RunningStatements running, boolean compare)
      throws SQLException {
    try {
      running.begin(statement);
      return run(statement, compare);
    } catch (SQLException | RuntimeException e) {
      close(statement, e);
      throw e;
    } finally {
      running.end(statement);
    }
  }

  private OpenResult run(Statement statement, boolean compare) throws SQLException {
    if (batch && statement instanceof PreparedStatement prepared) {
      for (List<BoundParameter> row : rows) {
        bind(prepared, row);
        prepared.addBatch();
      }
      long[] counts = prepared.executeLargeBatch();
      return new OpenResult(statement, false, counts, Arrays.toString(counts), keys.any());
    }
    boolean hasRows;
    if (statement instanceof PreparedStatement prepared) {
      bind(prepared, rows.getFirst());
      hasRows = prepared.execute();
    } else if (!keys.any()) {
      hasRows = statement.execute(sql);
    } else if (keys.columns().isEmpty()) {
      hasRows = statement.execute(sql, Statement.RETURN_GENERATED_KEYS);
    } else {
      hasRows = statement.execute(sql, keys.columns().toArray(String[]::new));
    }
    if (!hasRows) {
      long count = statement.getLargeUpdateCount();
      return new OpenResult(
          statement, false, new long[] {count}, String.valueOf(count), keys.any());
    }
    return compare
        ? new OpenResult(statement, true, new long[0], digest(statement), true)
        : new OpenResult(statement, true, new long[0], "", true).inPages(options.fetchRows());
  }

  private static void bind(PreparedStatement statement, List<BoundParameter> row)
      throws SQLException {
    for (int i = 0; i < row.size(); i++) {
      row.get(i).apply(statement, i + 1);
    }
  }

  /** The sum of the rows' hashes, which does not depend on their order; the result is rewound. */
  private static String digest(Statement statement) throws SQLException {
    ResultSet result = statement.getResultSet();
    int width = result.getMetaData().getColumnCount();
    long rows = 0;
    long sum = 0;
    while (result.next()) {
      long hash = 17;
      for (int i = 1; i <= width; i++) {
        String value = result.getString(i);
        hash = hash * 1_000_003 + (value == null ? 0 : value.hashCode() + 1L);
      }
      sum += hash * 0x9E3779B97F4A7C15L;
      rows++;
    }
    result.beforeFirst();
    return rows + " rows " + Long.toHexString(sum);
  }

  private static void close(Statement statement, Exception cause) {
    try {
      statement.close();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
