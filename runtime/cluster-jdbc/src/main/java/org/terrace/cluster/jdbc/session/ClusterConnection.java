package org.terrace.cluster.jdbc.session;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.ClusterArray;
import org.terrace.cluster.server.dialect.KeysWanted;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.server.dialect.Unsupported;

/**
 * A connection to a cluster. As JDBC's connections, for one thread at a time; {@link #abort} may be
 * called by any.
 */
public final class ClusterConnection implements Connection {
  private final SessionUse use;
  private final ClusterSession session;
  private final Runnable onClose;
  private int savepoints;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A connection in auto-commit; {@code onClose} is run once. */
  public ClusterConnection(DatabaseCluster cluster, Runnable onClose) {
    this.use = new SessionUse(cluster);
    this.session = use.session();
    this.onClose = onClose;
  }

  /** Executes a statement of any kind. */
  OpenResult execute(StatementRequest request, RunningStatements running) throws SQLException {
    ClusterSession open = session();
    return use.during(() -> open.execute(request, running));
  }

  ClusterSession session() throws SQLException {
    if (closed.get()) {
      throw new SQLException("The connection is closed.", SqlStates.CLOSED);
    }
    return session;
  }

  @Override
  public Statement createStatement() throws SQLException {
    session();
    return new ClusterStatement(this, StatementOptions.USUAL);
  }

  @Override
  public Statement createStatement(int resultType, int concurrency) throws SQLException {
    session();
    return new ClusterStatement(this, StatementOptions.of(resultType, concurrency));
  }

  @Override
  public Statement createStatement(int resultType, int concurrency, int holdability)
      throws SQLException {
    return createStatement(resultType, concurrency);
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepare(sql, StatementOptions.USUAL, KeysWanted.NONE);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int resultType, int concurrency)
      throws SQLException {
    return prepare(sql, StatementOptions.of(resultType, concurrency), KeysWanted.NONE);
  }

  @Override
  public PreparedStatement prepareStatement(
      String sql, int resultType, int concurrency, int holdability) throws SQLException {
    return prepareStatement(sql, resultType, concurrency);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int generatedKeys) throws SQLException {
    return prepare(sql, StatementOptions.USUAL, KeysWanted.flagged(generatedKeys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
    throw Unsupported.method(
        "prepareStatement with the numbers of columns", "name the columns instead.");
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
    return prepare(sql, StatementOptions.USUAL, KeysWanted.named(columns));
  }

  private PreparedStatement prepare(String sql, StatementOptions options, KeysWanted keys)
      throws SQLException {
    session();
    return new ClusterPreparedStatement(this, sql, options, keys);
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    throw Unsupported.method("prepareCall", "what a procedure does cannot be seen.");
  }

  @Override
  public CallableStatement prepareCall(String sql, int resultType, int concurrency)
      throws SQLException {
    return prepareCall(sql);
  }

  @Override
  public CallableStatement prepareCall(String sql, int resultType, int concurrency, int holdability)
      throws SQLException {
    return prepareCall(sql);
  }

  @Override
  public String nativeSQL(String sql) {
    return sql;
  }

  @Override
  public void setAutoCommit(boolean autoCommit) throws SQLException {
    ClusterSession open = session();
    use.run(() -> open.setAutoCommit(autoCommit));
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    return session().isAutoCommit();
  }

  @Override
  public void commit() throws SQLException {
    checkManual("commit");
    use.run(session::commit);
  }

  @Override
  public void rollback() throws SQLException {
    checkManual("rollback");
    use.run(session::rollback);
  }

  private void checkManual(String method) throws SQLException {
    if (session().isAutoCommit()) {
      throw TransactionFailure.needed(method);
    }
  }

  @Override
  public void close() throws SQLException {
    if (closed.compareAndSet(false, true)) {
      try {
        use.close();
      } finally {
        onClose.run();
      }
    }
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public void abort(@Nullable Executor executor) {
    if (closed.compareAndSet(false, true)) {
      use.abort();
      onClose.run();
    }
  }

  @Override
  public boolean isValid(int timeoutSeconds) throws SQLException {
    return !closed.get() && !session.cluster().active().isEmpty();
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    session();
    return MetaDataHandler.of(this);
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    session().setReadOnly(readOnly);
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return session().isReadOnly();
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    session().setIsolation(level);
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    return session().isolation();
  }

  @Override
  public void setCatalog(@Nullable String catalog) throws SQLException {
    if (catalog != null && !catalog.equals(getCatalog())) {
      throw Unsupported.method("setCatalog", "the URL names the database.");
    }
  }

  @Override
  public String getCatalog() throws SQLException {
    return session().cluster().configuration().database();
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    try (Statement statement = createStatement()) {
      statement.execute("SET search_path TO \"" + schema.replace("\"", "\"\"") + "\"");
    }
  }

  @Override
  public @Nullable String getSchema() throws SQLException {
    return switch (session().cluster().engine()) {
      case MARIADB -> null;
      case POSTGRESQL -> {
        try (Statement statement = createStatement();
            ResultSet result = statement.executeQuery("SELECT current_schema()")) {
          result.next();
          yield result.getString(1);
        }
      }
    };
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return make(new ClusterSavepoint(++savepoints, null));
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return make(new ClusterSavepoint(++savepoints, name));
  }

  private Savepoint make(ClusterSavepoint savepoint) throws SQLException {
    savepoint(savepoint, ClusterSavepoint.Step.SET);
    return savepoint;
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    savepoint(ClusterSavepoint.own(savepoint), ClusterSavepoint.Step.BACK);
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    savepoint(ClusterSavepoint.own(savepoint), ClusterSavepoint.Step.RELEASE);
  }

  private void savepoint(ClusterSavepoint savepoint, ClusterSavepoint.Step step)
      throws SQLException {
    ClusterSession open = session();
    use.run(() -> open.savepoint(savepoint, step));
  }

  @Override
  public void setHoldability(int holdability) throws SQLException {
    if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT) {
      throw Unsupported.method("HOLD_CURSORS_OVER_COMMIT", "read the rows before the commit.");
    }
  }

  @Override
  public int getHoldability() {
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public @Nullable SQLWarning getWarnings() {
    return null;
  }

  @Override
  public void clearWarnings() {}

  @Override
  public Map<String, Class<?>> getTypeMap() {
    return Map.of();
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
    if (!map.isEmpty()) {
      throw Unsupported.method("setTypeMap", "convert values in the application.");
    }
  }

  @Override
  public Clob createClob() throws SQLException {
    throw Unsupported.method("createClob", "use setString or setCharacterStream.");
  }

  @Override
  public Blob createBlob() throws SQLException {
    throw Unsupported.method("createBlob", "use setBytes or setBinaryStream.");
  }

  @Override
  public NClob createNClob() throws SQLException {
    throw Unsupported.method("createNClob", "use setString or setCharacterStream.");
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    throw Unsupported.method("createSQLXML", "use setString and a cast.");
  }

  @Override
  public Array createArrayOf(String typeName, Object[] elements) {
    return new ClusterArray(typeName, elements);
  }

  @Override
  public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
    throw Unsupported.method("createStruct", "give the attributes one by one.");
  }

  @Override
  public void setClientInfo(String name, @Nullable String value) throws SQLClientInfoException {
    session.info().set(name, value);
  }

  @Override
  public void setClientInfo(Properties properties) {}

  @Override
  public @Nullable String getClientInfo(String name) {
    return session.info().get(name);
  }

  @Override
  public Properties getClientInfo() {
    return new Properties();
  }

  @Override
  public void setNetworkTimeout(@Nullable Executor executor, int milliseconds) throws SQLException {
    if (milliseconds != 0) {
      throw Unsupported.method(
          "setNetworkTimeout", "the option hangMillis of the URL bounds what a replica may take.");
    }
  }

  @Override
  public int getNetworkTimeout() {
    return 0;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw Unsupported.method(
        "unwrap to " + type.getName(),
        "what is done to one real connection, as a COPY, is done nowhere else: write rows as a batch.");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
