package org.terrace.cluster.jdbc.session;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.KeysWanted;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.ResultSetHandler;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.server.dialect.Unsupported;

/** A statement of a client. For one thread at a time; {@link #cancel} may be called by any. */
class ClusterStatement implements Statement {
  private static final long NO_COUNT = -1;

  private final ClusterConnection connection;
  private final RunningStatements running = new RunningStatements();
  private final List<String> batch = new ArrayList<>();
  private StatementOptions options;
  private @Nullable OpenResult current;
  private @Nullable ResultSet rows;
  private long count = NO_COUNT;
  private boolean closesOnCompletion;
  private boolean poolable;
  private boolean escapes = true;
  private boolean closed;

  ClusterStatement(ClusterConnection connection, StatementOptions options) {
    this.connection = connection;
    this.options = options;
  }

  final void checkOpen() throws SQLException {
    if (closed) {
      throw new SQLException("The statement is closed.", SqlStates.CLOSED);
    }
  }

  /** Executes and keeps what it leaves. */
  final OpenResult run(
      String sql, List<List<BoundParameter>> values, boolean isBatch, KeysWanted keys)
      throws SQLException {
    checkOpen();
    closeCurrent();
    connection.session().cluster().analyzer().checkEscapes(sql, escapes);
    OpenResult result =
        connection.execute(new StatementRequest(sql, values, isBatch, keys, options), running);
    current = result;
    if (result.hasRows()) {
      rows = ResultSetHandler.of(result, this, running, this::rowsClosed);
      count = NO_COUNT;
    } else {
      rows = null;
      count = result.counts().length == 1 ? result.counts()[0] : NO_COUNT;
      if (!result.isWorthKeeping()) {
        result.close();
      }
    }
    return result;
  }

  private void rowsClosed() {
    OpenResult result = current;
    if (result != null && rows != null) {
      rows = null;
      current = null;
      result.close();
    }
    if (closesOnCompletion) {
      closed = true;
    }
  }

  final void closeCurrent() {
    OpenResult result = current;
    current = null;
    rows = null;
    count = NO_COUNT;
    if (result != null) {
      result.close();
    }
  }

  final boolean execute(String sql, List<List<BoundParameter>> values, KeysWanted keys)
      throws SQLException {
    return run(sql, values, false, keys).hasRows();
  }

  final ResultSet query(String sql, List<List<BoundParameter>> values) throws SQLException {
    execute(sql, values, KeysWanted.NONE);
    ResultSet result = rows;
    if (result == null) {
      throw new SQLException("The statement returned no rows.", "02000");
    }
    return result;
  }

  final long update(String sql, List<List<BoundParameter>> values, KeysWanted keys)
      throws SQLException {
    if (execute(sql, values, keys)) {
      closeCurrent();
      throw new SQLException("The statement returned rows: call executeQuery.", "0100E");
    }
    return Math.max(0, count);
  }

  static int toInt(long count) throws SQLException {
    if (count > Integer.MAX_VALUE) {
      throw new SQLException("More rows than an int can tell: call executeLargeUpdate.", "22003");
    }
    return (int) count;
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    return query(sql, List.of());
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return toInt(executeLargeUpdate(sql));
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    return update(sql, List.of(), KeysWanted.NONE);
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    return execute(sql, List.of(), KeysWanted.NONE);
  }

  @Override
  public int executeUpdate(String sql, int generatedKeys) throws SQLException {
    return toInt(update(sql, List.of(), KeysWanted.flagged(generatedKeys)));
  }

  @Override
  public int executeUpdate(String sql, int[] columns) throws SQLException {
    throw Unsupported.keysByNumbers();
  }

  @Override
  public int executeUpdate(String sql, String[] columns) throws SQLException {
    return toInt(update(sql, List.of(), KeysWanted.named(columns)));
  }

  @Override
  public boolean execute(String sql, int generatedKeys) throws SQLException {
    return execute(sql, List.of(), KeysWanted.flagged(generatedKeys));
  }

  @Override
  public boolean execute(String sql, int[] columns) throws SQLException {
    throw Unsupported.keysByNumbers();
  }

  @Override
  public boolean execute(String sql, String[] columns) throws SQLException {
    return execute(sql, List.of(), KeysWanted.named(columns));
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    checkOpen();
    OpenResult result = current;
    if (result == null || result.hasRows() || !result.isWorthKeeping()) {
      throw new SQLException(
          "No generated keys were asked for: pass RETURN_GENERATED_KEYS.", "2F000");
    }
    return ResultSetHandler.of(result.statement().getGeneratedKeys(), this, () -> {});
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    checkOpen();
    batch.add(sql);
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    batch.clear();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return Arrays.stream(executeLargeBatch()).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    checkOpen();
    List<String> statements = List.copyOf(batch);
    batch.clear();
    long[] counts = new long[statements.size()];
    for (int i = 0; i < counts.length; i++) {
      try {
        counts[i] = update(statements.get(i), List.of(), KeysWanted.NONE);
      } catch (SQLException e) {
        throw new BatchUpdateException(
            e.getMessage(), e.getSQLState(), e.getErrorCode(), Arrays.copyOf(counts, i), e);
      }
    }
    return counts;
  }

  @Override
  public void close() {
    closeCurrent();
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void cancel() throws SQLException {
    running.cancel();
  }

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    checkOpen();
    return rows;
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return toInt(getLargeUpdateCount());
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    checkOpen();
    return count;
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    checkOpen();
    closeCurrent();
    return false;
  }

  @Override
  public boolean getMoreResults(int what) throws SQLException {
    return getMoreResults();
  }

  @Override
  public int getMaxRows() {
    return options.maxRows();
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    options = options.withMaxRows(atLeastZero(max));
  }

  @Override
  public int getFetchSize() {
    return options.fetchRows();
  }

  @Override
  public void setFetchSize(int size) throws SQLException {
    options = options.withFetchRows(atLeastZero(size));
  }

  @Override
  public int getQueryTimeout() {
    return options.timeoutSeconds();
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    options = options.withTimeoutSeconds(atLeastZero(seconds));
  }

  private int atLeastZero(int value) throws SQLException {
    checkOpen();
    if (value < 0) {
      throw new SQLException("Expected 0 or more, got " + value + ".", SqlStates.BAD_PARAMETER);
    }
    return value;
  }

  @Override
  public int getMaxFieldSize() {
    return 0;
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    if (max != 0) {
      throw Unsupported.method("setMaxFieldSize", "cut the values in the query.");
    }
  }

  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    escapes = enable;
  }

  @Override
  public void setCursorName(String name) throws SQLException {
    throw Unsupported.method("setCursorName", "name rows by their keys.");
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    if (direction != ResultSet.FETCH_FORWARD) {
      throw Unsupported.method("setFetchDirection", "order the rows in the query.");
    }
  }

  @Override
  public int getFetchDirection() {
    return ResultSet.FETCH_FORWARD;
  }

  @Override
  public int getResultSetConcurrency() {
    return ResultSet.CONCUR_READ_ONLY;
  }

  @Override
  public int getResultSetType() {
    return options.resultType();
  }

  @Override
  public int getResultSetHoldability() {
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public @Nullable SQLWarning getWarnings() {
    return null;
  }

  @Override
  public void clearWarnings() {}

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public void setPoolable(boolean wanted) {
    poolable = wanted;
  }

  @Override
  public boolean isPoolable() {
    return poolable;
  }

  @Override
  public void closeOnCompletion() {
    closesOnCompletion = true;
  }

  @Override
  public boolean isCloseOnCompletion() {
    return closesOnCompletion;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw Unsupported.method("unwrap to " + type.getName(), "there is a statement per replica.");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
