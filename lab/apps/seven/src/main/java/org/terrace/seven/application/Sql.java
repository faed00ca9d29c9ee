package org.terrace.seven.application;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Invocation;

/**
 * Statements of one connection. All of the seven write SQL that PostgreSQL and MariaDB understand
 * alike: keys come from counters in rows that are locked anyway, times are whole numbers.
 *
 * <p>Throws {@link DatabaseException} where the database fails. Confined to one thread.
 */
public final class Sql {
  private final Connection connection;

  /** Statements of the given connection. */
  public Sql(Connection connection) {
    this.connection = connection;
  }

  /** Statements in the transaction of the running call. */
  public static Sql ofThisCall() {
    return new Sql(Invocation.current().connection());
  }

  /**
   * Makes a value of the row that a result stands at.
   *
   * @param <T> the type of the value
   */
  @FunctionalInterface
  public interface RowReader<T> {
    /** The row's value. */
    T read(ResultSet row) throws SQLException;
  }

  /** Changes rows and tells how many. */
  public int update(String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new DatabaseException(sql, e);
    }
  }

  /** The values of all rows. */
  public <T> List<T> all(RowReader<T> reader, String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      List<T> values = new ArrayList<>();
      while (rows.next()) {
        values.add(reader.read(rows));
      }
      return values;
    } catch (SQLException e) {
      throw new DatabaseException(sql, e);
    }
  }

  /** The value of the first row, if there is one. */
  public <T> Optional<T> first(RowReader<T> reader, String sql, Object... arguments) {
    try (PreparedStatement statement = prepare(sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
    } catch (SQLException e) {
      throw new DatabaseException(sql, e);
    }
  }

  /** The value of the first row, or a refusal when there is none. */
  public <T> T found(
      RowReader<T> reader, String code, String message, String sql, Object... arguments) {
    return first(reader, sql, arguments).orElseThrow(() -> new BusinessException(code, message));
  }

  /** The whole number in the first column of the first row, which must be there; null is 0. */
  public long number(String sql, Object... arguments) {
    return first(row -> row.getLong(1), sql, arguments)
        .orElseThrow(() -> new IllegalStateException("no row: " + sql));
  }

  /** A batch of changes with one statement: a row of arguments each. */
  public void batch(String sql, List<Object[]> rows) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Object[] row : rows) {
        bind(statement, row);
        statement.addBatch();
      }
      statement.executeBatch();
    } catch (SQLException e) {
      throw new DatabaseException(sql, e);
    }
  }

  private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      bind(statement, arguments);
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, Object[] arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
  }
}
