package org.terrace.cluster.controller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A question to the ledger of commits, which can be given up while it waits. Thread-safe. */
final class AskedLedger {
  private static final Logger LOG = System.getLogger(AskedLedger.class.getName());

  private @Nullable Statement waiting;

  /** Sets the statement that waits for the ledger; null: none does. */
  synchronized void waits(@Nullable Statement statement) {
    waiting = statement;
  }

  /** Asks for the end of the statement that waits, if one does. */
  synchronized void giveUp() {
    Statement statement = waiting;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        LOG.log(Level.DEBUG, "A question that nobody waits for goes on: {0}", e.getMessage());
      }
    }
  }
}
