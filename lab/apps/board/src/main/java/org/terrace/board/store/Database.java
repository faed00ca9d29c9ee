package org.terrace.board.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.core.PoolMetrics;

/**
 * The board's database, one server or a cluster that this process owns, behind a pool of
 * connections.
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

  /** The most attempts at a transaction that was in the way of others. */
  private static final int MOST_TRIES = 5;

  /** The beginning of the URLs of clusters. */
  private static final String CLUSTER = "jdbc:terrace:";

  /** The beginning of the URLs of controllers, whose process owns the cluster. */
  private static final String CONTROLLER = CLUSTER + "controller:";

  private final BoardDialect dialect;
  private final HikariDataSource pool;
  private final @Nullable ClusterDataSource cluster;

  private Database(
      BoardDialect dialect, HikariDataSource pool, @Nullable ClusterDataSource cluster) {
    this.dialect = dialect;
    this.pool = pool;
    this.cluster = cluster;
  }

  /**
   * Opens the pool with all its connections; waits up to ten seconds for a database that is just
   * starting.
   *
   * @param url the URL of a server, or of a cluster: {@code jdbc:terrace:}
   * @param password the password of the user; empty: none is sent
   * @param name what the connections call themselves in {@code pg_stat_activity}
   * @param localAddress the address that outgoing connections bind to; empty: the system's choice
   * @param connections the size of the pool, at least 1
   * @param listener told when a server of a cluster is lost or returns
   * @throws SQLException when a cluster cannot be opened
   */
  public static Database open(
      String url,
      String user,
      String password,
      String name,
      String localAddress,
      int connections,
      ReplicaListener listener)
      throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(LONGEST_WAIT_MILLIS);
    config.setInitializationFailTimeout(LONGEST_START_MILLIS);
    if (url.startsWith(CONTROLLER)) {
      return throughController(config, url, localAddress);
    }
    BoardDialect dialect = BoardDialect.of(url);
    Properties driver =
        dialect.driverProperties(name, LONGEST_CONNECT_SECONDS, LONGEST_ANSWER_SECONDS);
    if (!localAddress.isEmpty()) {
      driver.setProperty("localSocketAddress", localAddress);
    }
    if (!url.startsWith(CLUSTER)) {
      config.setJdbcUrl(url);
      config.setUsername(user);
      if (!password.isEmpty()) {
        config.setPassword(password);
      }
      driver.forEach((key, value) -> config.addDataSourceProperty((String) key, value));
      return new Database(dialect, new HikariDataSource(config), null);
    }
    Properties properties = new Properties();
    driver.forEach((key, value) -> properties.setProperty("driver." + key, (String) value));
    properties.setProperty("user", user);
    if (!password.isEmpty()) {
      properties.setProperty("password", password);
    }
    properties.setProperty("poolSize", String.valueOf(connections));
    ClusterDataSource cluster = ClusterDataSource.open(url, properties);
    try {
      cluster.listen(listener);
      config.setDataSource(cluster);
      return new Database(dialect, new HikariDataSource(config), cluster);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** A controller says which system its servers have. */
  private static Database throughController(HikariConfig config, String url, String localAddress)
      throws SQLException {
    config.setJdbcUrl(url);
    config.addDataSourceProperty("connectMillis", String.valueOf(LONGEST_WAIT_MILLIS));
    config.addDataSourceProperty("localAddress", localAddress);
    HikariDataSource pool = new HikariDataSource(config);
    try (Connection connection = pool.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return new Database(BoardDialect.ofProduct(product), pool, null);
    }
  }

  /** The SQL that its system understands. */
  public BoardDialect dialect() {
    return dialect;
  }

  /** The connections that are in use at the moment. */
  public int inUse() {
    HikariPoolMXBean figures = pool.getHikariPoolMXBean();
    return figures == null ? 0 : figures.getActiveConnections();
  }

  /** The soft resources of a cluster that this process owns, by their names; none without one. */
  public Map<String, PoolMetrics.Pool> clusterPools() {
    return cluster == null ? Map.of() : cluster.pools();
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

  /**
   * Runs a transaction: it is committed when the work returns and rolled back when it throws. The
   * work is done again when it closed a circle of transactions that wait for each other.
   */
  <T> T transaction(Transaction<T> work) throws SQLException {
    for (int tried = 1; ; tried++) {
      try {
        return once(work);
      } catch (SQLException e) {
        if (tried == MOST_TRIES || !isInTheWay(e)) {
          throw e;
        }
      }
    }
  }

  /** A failed serialization, or a deadlock, by their SQLStates. */
  private static boolean isInTheWay(SQLException failure) {
    return "40001".equals(failure.getSQLState()) || "40P01".equals(failure.getSQLState());
  }

  private <T> T once(Transaction<T> work) throws SQLException {
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
    if (cluster != null) {
      cluster.close();
    }
  }
}
