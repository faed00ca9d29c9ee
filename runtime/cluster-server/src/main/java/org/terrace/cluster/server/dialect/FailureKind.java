package org.terrace.cluster.server.dialect;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.core.StatementOutcome.Kind;

/** The kinds of failures of a real driver, told by SQLState, error number and cause. */
public enum FailureKind {
  /** The server or the connection to it is gone. */
  LOST,
  /** The server gave up: a deadlock, a timeout, a cancellation. */
  GAVE_UP,
  /** The statement is wrong, or breaks a rule. */
  WRONG;

  private static final int MARIADB_LOCK_WAIT = 1205;
  private static final int MARIADB_DEADLOCK = 1213;

  /** The kind of a failure. */
  public static FailureKind of(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (state.startsWith("08")
        || state.startsWith("57P0")
        || failure instanceof SQLNonTransientConnectionException
        || failure instanceof SQLRecoverableException
        || isOfNetwork(failure)) {
      return LOST;
    }
    boolean gaveUp =
        state.startsWith("40")
            || state.equals("55P03")
            || state.equals("57014")
            || state.equals("70100")
            || state.startsWith("53")
            || failure instanceof SQLTransientConnectionException
            || failure.getErrorCode() == MARIADB_LOCK_WAIT
            || failure.getErrorCode() == MARIADB_DEADLOCK;
    return gaveUp ? GAVE_UP : WRONG;
  }

  /** The outcome to compare; the connection is not lost. */
  public static StatementOutcome outcome(SQLException failure) {
    String state = failure.getSQLState() == null ? "HY000" : failure.getSQLState();
    return of(failure) == GAVE_UP
        ? new StatementOutcome(Kind.GAVE_UP, state)
        : new StatementOutcome(Kind.FAILED, state);
  }

  private static boolean isOfNetwork(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (cause instanceof IOException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
