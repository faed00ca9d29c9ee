package org.terrace.cluster.jdbc.session;

import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.KeysWanted;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.Unsupported;

/** A statement with parameters, executed as one, or as a batch of rows. */
final class ClusterPreparedStatement extends ParameterizedStatement {
  private final String sql;
  private final KeysWanted keys;
  private final List<List<BoundParameter>> batch = new ArrayList<>();

  ClusterPreparedStatement(
      ClusterConnection connection, String sql, StatementOptions options, KeysWanted keys) {
    super(connection, options);
    this.sql = sql;
    this.keys = keys;
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    return query(sql, List.of(bound()));
  }

  @Override
  public int executeUpdate() throws SQLException {
    return toInt(executeLargeUpdate());
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return update(sql, List.of(bound()), keys);
  }

  @Override
  public boolean execute() throws SQLException {
    return execute(sql, List.of(bound()), keys);
  }

  @Override
  public void addBatch() throws SQLException {
    checkOpen();
    batch.add(bound());
  }

  @Override
  public void addBatch(String other) throws SQLException {
    throw new SQLException("A prepared statement has its text.", SqlStates.BAD_PARAMETER);
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
    List<List<BoundParameter>> rows = List.copyOf(batch);
    batch.clear();
    return rows.isEmpty() ? new long[0] : run(sql, rows, true, keys).counts();
  }

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    ResultSet rows = getResultSet();
    return rows == null ? null : rows.getMetaData();
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    throw Unsupported.method("getParameterMetaData", "the types are known when it is executed.");
  }
}
