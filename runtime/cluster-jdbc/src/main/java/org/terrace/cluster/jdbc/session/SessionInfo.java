package org.terrace.cluster.jdbc.session;

import java.sql.ClientInfoStatus;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.LedgerRow;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.sql.SessionSettings;

/** The client info of a session: what it has seen, and its next transaction's ledger row. */
final class SessionInfo {
  private final SessionFreshness seen;
  private final SessionSettings settings;
  private @Nullable LedgerRow row;

  SessionInfo(SessionFreshness seen, SessionSettings settings) {
    this.seen = seen;
    this.settings = settings;
  }

  void set(String name, @Nullable String value) throws SQLClientInfoException {
    try {
      if (name.equals("terrace.seen") && value != null) {
        seen.seenByOther(Long.parseLong(value));
      } else if (name.equals("terrace.ledger")) {
        row = value == null ? null : LedgerRow.of(value);
      }
    } catch (IllegalArgumentException e) {
      throw new SQLClientInfoException(Map.of(name, ClientInfoStatus.REASON_VALUE_INVALID), e);
    }
  }

  @Nullable String get(String name) {
    String named = name.equals("terrace.ledger") && row != null ? row.name() : null;
    return name.equals("terrace.seen") ? Long.toString(seen.token().decided()) : named;
  }

  /** Commits, with the transaction's row in the ledger if there is to be one. */
  void commit(ClientTransaction transaction, @Nullable OpenResult kept) throws SQLException {
    LedgerRow named = row;
    row = null;
    if (named != null) {
      try {
        for (String sql : named.statements(settings.setsRole())) {
          StatementRequest request = StatementRequest.own(sql);
          transaction.write(request, false, named.locks(), new RunningStatements()).close();
        }
      } catch (SQLException e) {
        transaction.rollback();
        String why = "The transaction was undone, as it could not be entered in the ledger: ";
        boolean taken = String.valueOf(e.getSQLState()).startsWith("23");
        String state = taken ? SqlStates.SERIALIZATION_FAILURE : e.getSQLState();
        throw new SQLException(why + e.getMessage(), state, e.getErrorCode(), e);
      }
    }
    transaction.commit(kept);
  }
}
