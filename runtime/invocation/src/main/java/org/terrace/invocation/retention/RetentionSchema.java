package org.terrace.invocation.retention;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The tables in which replies, clients and epochs are kept: {@code terrace_reply}, {@code
 * terrace_client} and {@code terrace_epoch}.
 */
public final class RetentionSchema {
  /** Somebody who holds a table for longer than that is told of, and not waited for. */
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);

  private RetentionSchema() {}

  /**
   * Creates what is missing; may be called any number of times, by several replicas at once.
   *
   * @throws TerraceException if the database cannot be reached or its account may create no tables
   */
  public static void create(DataSource dataSource) {
    create(dataSource, LOCK_LIMIT);
  }

  static void create(DataSource dataSource, Duration lockLimit) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        for (String sql : Dialect.of(connection).schema(lockLimit)) {
          statement.execute(sql);
        }
        connection.commit();
      } catch (SQLException e) {
        rollBack(connection, e);
        throw e;
      }
    } catch (SQLException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot create the tables of retained replies (%s): see that the database runs, that nobody holds these tables locked, and that its account may create tables, or create them by hand (docs/reference/retained-replies.md)."
              .formatted(e.getMessage()),
          e);
    }
  }

  /**
   * Rolls back; a failure of this is added to the reason, for the user must see the first failure
   * and not that the connection is gone by now.
   */
  private static void rollBack(Connection connection, SQLException reason) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
