package org.terrace.seven;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/**
 * The URL of an application's database and the user that logs in there; the password lies in a file
 * and is read anew for each use.
 *
 * @param url a JDBC URL of PostgreSQL or MariaDB
 * @param user the role
 * @param passwordFile a file whose first line is the password; empty: no password
 */
record DatabaseAddress(String url, String user, Optional<Path> passwordFile) {
  static final String USAGE =
      "--database-url URL [--database-user USER] [--database-password-file FILE]";

  private static final long LONGEST_WAIT_MILLIS = 5_000;

  static DatabaseAddress of(Flags arguments) {
    return new DatabaseAddress(
        arguments.text("--database-url"),
        arguments.text("--database-user", "seven"),
        arguments.optional("--database-password-file").map(Path::of));
  }

  /** A connection of its own, which commits each statement until told otherwise. */
  Connection connect() {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password());
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      throw unreachable(e);
    }
  }

  /** Connections that are made anew each time they are asked for. */
  DataSource withoutPool() {
    if (url.startsWith("jdbc:mariadb:")) {
      try {
        MariaDbDataSource mariaDb = new MariaDbDataSource(url);
        mariaDb.setUser(user);
        mariaDb.setPassword(password());
        return mariaDb;
      } catch (SQLException e) {
        throw unreachable(e);
      }
    }
    PGSimpleDataSource postgres = new PGSimpleDataSource();
    postgres.setUrl(url);
    postgres.setUser(user);
    postgres.setPassword(password());
    return postgres;
  }

  /** A pool of connections at read committed, which are made before they are needed. */
  HikariDataSource pool(String name, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(size);
    config.setConnectionTimeout(LONGEST_WAIT_MILLIS);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setAutoCommit(false);
    try {
      return new HikariDataSource(config);
    } catch (HikariPool.PoolInitializationException e) {
      throw unreachable(e.getCause() == null ? e : e.getCause());
    }
  }

  private String password() {
    if (passwordFile.isEmpty()) {
      return "";
    }
    try (var lines = Files.lines(passwordFile.get())) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "Cannot read the password file %s (%s)."
              .formatted(passwordFile.get(), e.getClass().getSimpleName()),
          e);
    }
  }

  private TerraceException unreachable(Throwable cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "Cannot connect to the database at %s as '%s' (%s): is it running there?"
            .formatted(url, user, cause.getMessage()),
        cause);
  }
}
