package org.terrace.benchmarks.collections.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One table of one database that all servers reach by JDBC, each through a pool. */
public final class JdbcMap implements SharedMap {
  private static final int CONNECTIONS = 16;
  private static final long TIMEOUT_MILLIS = 10_000;
  private static final String TABLE =
      "create table if not exists objects (id varchar(64) primary key, content varchar(4096))";

  private final HikariDataSource database;
  private final String put;

  /** Reaches the database; the table is made unless it is there. */
  public JdbcMap(String url, String user, String put) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(TIMEOUT_MILLIS);
    this.database = new HikariDataSource(config);
    this.put = put;
    try (Connection connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
  }

  @Override
  public void put(String key, String value) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(put)) {
      statement.setString(1, key);
      statement.setString(2, value);
      statement.executeUpdate();
    }
  }

  @Override
  public @Nullable String get(String key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("select content from objects where id = ?")) {
      statement.setString(1, key);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }

  @Override
  public void remove(String key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("delete from objects where id = ?")) {
      statement.setString(1, key);
      statement.executeUpdate();
    }
  }

  /** The servers share the database and need not know each other. */
  @Override
  public int members() {
    return Place.SERVERS;
  }
}
