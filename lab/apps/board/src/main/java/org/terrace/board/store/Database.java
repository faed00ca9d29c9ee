package org.terrace.board.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The board's database behind a pool of connections.
 *
 * <p>Every statement is prepared and every value is a parameter: SQL text is never put together
 * from values. Thread-safe; a call waits for a free connection at most {@value
 * #LONGEST_WAIT_MILLIS} ms, and for an answer at most {@value #LONGEST_ANSWER_SECONDS} s.
 */
public final class Database implements AutoCloseable {
  private static final int LONGEST_WAIT_MILLIS = 5_000;
  private static final int LONGEST_ANSWER_SECONDS = 30;
  private static final int LONGEST_CONNECT_SECONDS = 2;
  private static final int LONGEST_START_MILLIS = 10_000;

  private final HikariDataSource pool;

  private Database(HikariDataSource pool) {
    this.pool = pool;
  }

  /**
   * Opens the pool with all its connections; waits up to ten seconds for a database that is just
   * starting.
   *
   * @param name what the connections call themselves in {@code pg_stat_activity}
   * @param localAddress the address that outgoing connections bind to; empty: the system's choice
   * @param connections the size of the pool, at least 1
   */
  public static Database open(
      String url, String user, String name, String localAddress, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPoolName(name);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(LONGEST_WAIT_MILLIS);
    config.setInitializationFailTimeout(LONGEST_START_MILLIS);
    config.addDataSourceProperty("ApplicationName", name);
    config.addDataSourceProperty("connectTimeout", String.valueOf(LONGEST_CONNECT_SECONDS));
    config.addDataSourceProperty("socketTimeout", String.valueOf(LONGEST_ANSWER_SECONDS));
    config.addDataSourceProperty("assumeMinServerVersion", "18");
    config.addDataSourceProperty("sslmode", "disable");
    config.addDataSourceProperty("gssEncMode", "disable");
    if (!localAddress.isEmpty()) {
      config.addDataSourceProperty("localSocketAddress", localAddress);
    }
    return new Database(new HikariDataSource(config));
  }

  /** Makes a value of a row. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Work on one connection that is done wholly or not at all. */
  @FunctionalInterface
  interface Transaction<T> {
    T run(Connection connection) throws SQLException;
  }

  /** The rows of a query. */
  <T> List<T> list(String sql, RowReader<T> reader, Object... values) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return list(connection, sql, reader, values);
    }
  }

  /** The first row of a query, if it has any. */
  <T> Optional<T> first(String sql, RowReader<T> reader, Object... values) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return first(connection, sql, reader, values);
    }
  }

  /** Runs a transaction: it is committed when the work returns and rolled back when it throws. */
  <T> T transaction(Transaction<T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    }
  }

  static <T> List<T> list(Connection connection, String sql, RowReader<T> reader, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        List<T> result = new ArrayList<>();
        while (rows.next()) {
          result.add(reader.read(rows));
        }
        return result;
      }
    }
  }

  static <T> Optional<T> first(
      Connection connection, String sql, RowReader<T> reader, Object... values)
      throws SQLException {
    List<T> rows = list(connection, sql, reader, values);
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
  }

  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  private static void bind(PreparedStatement statement, Object[] values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
