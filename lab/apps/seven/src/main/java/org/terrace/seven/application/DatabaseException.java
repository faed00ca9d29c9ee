package org.terrace.seven.application;

import java.sql.SQLException;

/**
 * A statement that the database did not carry out: a deadlock, a lost connection, an error in the
 * SQL. Its cause is always the {@link SQLException}, whose state tells which.
 */
public final class DatabaseException extends RuntimeException {

  /** A failure of the given statement. */
  public DatabaseException(String statement, SQLException cause) {
    super(cause.getMessage() + " (" + statement + ")", cause);
  }
}
