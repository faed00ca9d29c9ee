package org.terrace.seven;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Sql;

/** The tables and first rows that an application needs in its database. Stateless. */
public final class Installation {
  private Installation() {}

  /** Whether the application's tables are there. */
  public static boolean isThere(Application<?> application, Connection connection)
      throws SQLException {
    for (String table : application.tables()) {
      try (ResultSet found =
          connection.getMetaData().getTables(connection.getCatalog(), null, table, null)) {
        if (!found.next()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Drops the application's tables if they are there, creates and fills them. */
  public static void reset(Application<?> application, Connection connection) throws SQLException {
    boolean committing = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String table : application.tables()) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
      for (String create : application.schema()) {
        statement.execute(create);
      }
      application.seed(new Sql(connection));
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(committing);
    }
  }
}
