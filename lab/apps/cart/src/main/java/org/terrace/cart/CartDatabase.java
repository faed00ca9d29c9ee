package org.terrace.cart;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A database that holds carts in one table, and how it is asked: each call is one statement and one
 * transaction, the fewest a database can do with. Thread-safe.
 */
final class CartDatabase implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A kind of database, with its own words for adding and telling the sum in one statement. */
  enum Kind {
    POSTGRESQL("bytea", "UPDATE %s RETURNING amount"),
    H2("varbinary", "SELECT amount FROM FINAL TABLE (UPDATE %s)");

    private static final String CHANGE =
        "cart SET amount = amount + ?, object = COALESCE(?, object) WHERE item = ?";

    private final String bytes;
    private final String returning;

    Kind(String bytes, String returning) {
      this.bytes = bytes;
      this.returning = returning;
    }

    String change() {
      return returning.formatted(CHANGE);
    }

    private String table() {
      return "CREATE TABLE IF NOT EXISTS cart (item varchar(200) PRIMARY KEY, amount int NOT NULL,"
          + " object "
          + bytes
          + ")";
    }
  }

  private final Kind kind;
  private final HikariDataSource connections;

  private CartDatabase(Kind kind, HikariDataSource connections) {
    this.kind = kind;
    this.connections = connections;
  }

  /** Opens a pool of connections and makes the table if it is not there. */
  static CartDatabase open(Kind kind, String url, String user, int connectionsMax) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword("");
    config.setMaximumPoolSize(connectionsMax);
    config.setConnectionTimeout(PATIENCE.toMillis());
    try {
      HikariDataSource source = new HikariDataSource(config);
      CartDatabase database = new CartDatabase(kind, source);
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(kind.table());
      }
      return database;
    } catch (SQLException | RuntimeException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "The database "
              + url
              + " cannot be used as "
              + user
              + " ("
              + e.getMessage()
              + "): start it, or give another --database-url.",
          e);
    }
  }

  Kind kind() {
    return kind;
  }

  /** A connection in which each statement commits; closing it gives it back. */
  Connection connection() throws SQLException {
    return connections.getConnection();
  }

  @Override
  public void close() {
    connections.close();
  }
}
