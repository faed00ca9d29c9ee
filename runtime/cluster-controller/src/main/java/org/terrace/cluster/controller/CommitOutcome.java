package org.terrace.cluster.controller;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The outcomes of commits whose answers were lost: each commit has a name, by which the controller,
 * or the next one, is asked whether it took effect. A transaction that did not never will. Confined
 * to the thread of its connection.
 */
final class CommitOutcome {
  /** The answers of a controller. */
  static final int UNDONE = 0;

  static final int COMMITTED = 1;
  static final int FORGOTTEN = 2;

  private static final String UNKNOWN = "08007";

  /** A turn that was told so long ago is asked for again, so that names are not old ones. */
  private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final ControllerUrl place;
  private long turn;
  private long toldNanos;

  /** The outcomes at a place. */
  CommitOutcome(ControllerUrl place) {
    this.place = place;
  }

  /**
   * Takes the present turn of the controller's ledger.
   *
   * @param told its number; 0: the controller has no ledger
   */
  void toldTurn(long told) {
    turn = told;
    toldNanos = now();
  }

  /**
   * Whether the turn is to be asked for before a name is made: it may have gone by, or the ledger
   * may have been opened since there was none.
   */
  boolean isTurnOld() {
    return turn == 0 || now() - toldNanos > FRESH_NANOS;
  }

  /** A name for the next commit; empty: outcomes are not kept. */
  String newName() {
    return turn > 0 ? turn + "-" + UUID.randomUUID() : "";
  }

  /**
   * The failure, after which the turn is asked for before the next name if it may have been too
   * old.
   */
  SQLException failed(SQLException failure) {
    if ("40001".equals(failure.getSQLState())) {
      toldNanos = now() - 2 * FRESH_NANOS;
    }
    return failure;
  }

  private static long now() {
    return TimeSource.system().elapsedNanos();
  }

  /** Whether a controller itself does not know what came of a commit. */
  static boolean isUnknown(SQLException failure) {
    return UNKNOWN.equals(failure.getSQLState());
  }

  /** The failure of a transaction that had no effect, and may be tried again. */
  private static SQLException undone(Exception cause) {
    return new SQLTransactionRollbackException(
        "The transaction was not committed, and will not be: the answer to it was lost (%s). Try it again over another connection."
            .formatted(cause.getMessage()),
        "40001",
        cause);
  }

  /** The failure of a statement that was a transaction, whose answer is lost. */
  SQLException lost(String name, boolean mayLast, Exception cause) throws SQLException {
    return isCommitted(name, mayLast, cause)
        ? new LostAnswerException(
            "The statement took effect, but its answer was lost (%s)."
                .formatted(cause.getMessage()),
            cause)
        : undone(cause);
  }

  /** Fails unless a commit whose answer is lost took effect. */
  void check(String name, Exception cause) throws SQLException {
    if (!isCommitted(name, false, cause)) {
      throw undone(cause);
    }
  }

  /**
   * Whether a commit took effect.
   *
   * @param lasts whether it may be something that lasts though the transaction is undone
   */
  private boolean isCommitted(String name, boolean lasts, Exception cause) throws SQLException {
    if (name.isEmpty()) {
      throw unknown("the controller keeps no ledger of commits", cause);
    }
    int told = told(name, cause);
    if (told == FORGOTTEN) {
      throw unknown("it is forgotten by now", cause);
    }
    if (told == UNDONE && lasts) {
      throw unknown("a definition may remain though its transaction is undone", cause);
    }
    return told == COMMITTED;
  }

  /** The answer of the first controller that tells of it. */
  private int told(String name, Exception cause) throws SQLException {
    Deadline deadline = Deadline.in(TimeSource.system(), place.outcomeMillis());
    String problem;
    do {
      try {
        return ask(name, deadline);
      } catch (SQLException e) {
        problem = String.valueOf(e.getMessage());
      }
    } while (!deadline.isOver() && ControllerLink.pause());
    throw unknown("no controller told what came of it: " + problem, cause);
  }

  /** The failure of a commit of which nobody knows whether it took effect. */
  static SQLException unknown(String why, Exception cause) {
    return new SQLException(
        "The answer of the controller was lost (%s), and it is not known whether the commit that was under way took effect, as %s."
            .formatted(cause.getMessage(), why),
        UNKNOWN,
        cause);
  }

  private int ask(String name, Deadline deadline) throws SQLException {
    ControllerLink link = ControllerLink.open(place, ControllerFrame.FOR_OUTCOME, deadline);
    try {
      Encoder request = new Encoder();
      request.putString(name);
      return link.call(request, deadline).getByte();
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    } finally {
      link.close();
    }
  }
}
