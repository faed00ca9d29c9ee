package org.terrace.cluster.server.dialect;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
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

  /** PostgreSQL has ended the session of a transaction that was idle, or took, too long. */
  private static final Set<String> ENDED_TRANSACTIONS = Set.of("25P03", "25P04");

  /** No driver wraps failures deeper; chains may be circular. */
  private static final int CAUSES_MAX = 10;

  static final int MARIADB_LOCK_WAIT = 1205;
  static final int MARIADB_LOCKS_FULL = 1206;
  static final int MARIADB_DEADLOCK = 1213;

  /** The kind of a failure. */
  public static FailureKind of(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (state.startsWith("08")
        || state.startsWith("57P0")
        || failure instanceof SQLNonTransientConnectionException
        || failure instanceof SQLRecoverableException
        || hasCause(failure, IOException.class)) {
      return LOST;
    }
    boolean gaveUp =
        state.startsWith("40")
            || state.equals("55P03")
            || state.equals("57014")
            || state.equals("70100")
            || state.startsWith("53")
            || ENDED_TRANSACTIONS.contains(state)
            || failure instanceof SQLTransientConnectionException
            || failure.getErrorCode() == MARIADB_LOCK_WAIT
            || failure.getErrorCode() == MARIADB_LOCKS_FULL
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

  /** Whether a driver gave up waiting; some say of that no more than that the network failed. */
  public static boolean isSilence(SQLException failure) {
    return hasCause(failure, SocketTimeoutException.class);
  }

  private static boolean hasCause(Throwable failure, Class<? extends IOException> kind) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
      if (kind.isInstance(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
