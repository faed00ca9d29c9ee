package org.terrace.cluster.jdbc.recovery;

import org.terrace.cluster.core.StatementOutcome;

/** The failure of a replica that comes to another end with the same statement. */
@SuppressWarnings("serial")
public final class ReplayDiffersException extends ReturnRefusedException {
  private static final int SHOWN_CHARACTERS = 120;

  ReplayDiffersException(
      TransactionRecord transaction, LoggedStatement statement, StatementOutcome outcome) {
    super(
        "it did transaction %d otherwise than the others: '%s' gave %s, and %s there"
            .formatted(
                transaction.position(),
                shown(statement.request().sql()),
                words(outcome),
                words(statement.outcome())));
  }

  private static String shown(String sql) {
    return sql.length() <= SHOWN_CHARACTERS ? sql : sql.substring(0, SHOWN_CHARACTERS) + "...";
  }

  private static String words(StatementOutcome outcome) {
    return switch (outcome.kind()) {
      case DONE -> "the count or digest " + outcome.fingerprint();
      case FAILED, GAVE_UP -> "the error " + outcome.fingerprint();
    };
  }
}
