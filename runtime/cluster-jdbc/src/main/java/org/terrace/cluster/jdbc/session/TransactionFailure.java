package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.RunningStatements;

/**
 * The failure of a session's open transaction, after which it can only be rolled back, or go back
 * to a savepoint. Confined to one thread at a time.
 */
final class TransactionFailure {
  private static final long NONE = -1;

  private boolean failed;
  private long transactionsEnded;

  /** Whether the transaction that is open has failed. */
  boolean isOn() {
    return failed;
  }

  void set(boolean now) {
    failed = now;
  }

  /** Refuses what cannot follow a failure. */
  void check() throws SQLException {
    if (failed) {
      throw before("roll back first.");
    }
  }

  /** The failure of what follows another. */
  static SQLException before(String then) {
    return new SQLException(
        "A statement of the transaction failed before: " + then, SqlStates.IN_FAILED_TRANSACTION);
  }

  /** The failure of what needs a transaction where there is none. */
  static SQLException needed(String what) {
    return new SQLException(
        what + " needs a transaction: call setAutoCommit(false) first.",
        SqlStates.WRONG_TRANSACTION_STATE);
  }

  /** The failure of a write where only reads are allowed. */
  static SQLException isReadOnly() {
    return new SQLException("The connection is read-only.", SqlStates.READ_ONLY);
  }

  /** The failure of one that was judged by other tables than there are now. */
  static SQLException tablesChange() {
    return new SQLException(
        "The tables were changed meanwhile: try the transaction again.",
        SqlStates.SERIALIZATION_FAILURE);
  }

  /**
   * Lets a later page of a result that fails its transaction at its server be such a failure, or
   * one with which that undoes it or at which its client is interrupted: it is left with that.
   */
  void watch(RunningStatements running, BooleanSupplier isOpen, Runnable leave) {
    long before = isOpen.getAsBoolean() ? transactionsEnded : NONE;
    BooleanSupplier isSame = () -> before == transactionsEnded && isOpen.getAsBoolean();
    running.atFailedReading(
        () -> failed |= isSame.getAsBoolean(),
        () -> {
          if (isSame.getAsBoolean()) {
            failed = true;
            leave.run();
          }
        });
  }

  /** The transaction has ended. */
  void transactionEnded() {
    transactionsEnded++;
  }
}
