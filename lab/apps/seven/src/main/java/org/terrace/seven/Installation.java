package org.terrace.seven;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Puts an application's tables and first rows into a database. Stateless. */
public final class Installation {
  private Installation() {}

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
