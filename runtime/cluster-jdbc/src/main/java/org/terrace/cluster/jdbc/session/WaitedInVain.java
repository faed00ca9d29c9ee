package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.terrace.cluster.core.ClusterEffect.AnswerWaited;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.sql.Engine;

/** The failure of a transaction that waited too long for a lock, with those who have it. */
final class WaitedInVain {
  private static final int STATEMENT_LENGTH_MAX = 100;

  /** The vendor's code of MariaDB for it, whose SQLState tells nothing. */
  private static final int MARIADB_CODE = 1205;

  private static final String MARIADB_STATE = "HY000";

  private WaitedInVain() {}

  static SQLException failure(
      DatabaseCluster cluster, AnswerWaited waited, ClientTransaction waiting) {
    List<ClientTransaction> holders =
        waited.holders().stream().map(cluster::transaction).filter(Objects::nonNull).toList();
    String message =
        "The cluster undid the transaction: it waited for %d ms (lockWaitMillis) for %s, which %s has or asked for before."
            .formatted(
                cluster.configuration().lockWait().toMillis(),
                waited.what().inWords(),
                String.join(
                    ", then ", holders.stream().map(holder -> inWords(holder, waiting)).toList()));
    return cluster.engine() == Engine.MARIADB
        ? new SQLException(message, MARIADB_STATE, MARIADB_CODE)
        : new SQLException(message, SqlStates.LOCK_NOT_AVAILABLE);
  }

  private static String inWords(ClientTransaction holder, ClientTransaction waiting) {
    Thread thread = holder.client();
    String who =
        thread.equals(waiting.client())
            ? "another connection of the same thread, which so waits for itself,"
            : "thread '%s'".formatted(thread.getName());
    String statement = holder.latest().strip().replaceAll("\\s+", " ");
    return "%s (last statement: %s)"
        .formatted(
            who,
            statement.length() > STATEMENT_LENGTH_MAX
                ? statement.substring(0, STATEMENT_LENGTH_MAX) + "..."
                : statement);
  }
}
