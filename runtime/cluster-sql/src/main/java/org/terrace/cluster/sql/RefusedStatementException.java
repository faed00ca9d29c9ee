package org.terrace.cluster.sql;

import java.sql.SQLFeatureNotSupportedException;
import org.terrace.cluster.core.SqlStates;

/**
 * The refusal of a statement that would, or might, make replicas differ, with the reason and the
 * way out. Its SQLState is 0A000.
 */
public final class RefusedStatementException extends SQLFeatureNotSupportedException {

  /**
   * A refusal.
   *
   * @param reason a clause about the statement, such as "it calls random() for every row"
   * @param wayOut what to do instead, in the imperative
   */
  public RefusedStatementException(String reason, String wayOut) {
    super(
        "The cluster refuses the statement because " + reason + ". Instead: " + wayOut + ".",
        SqlStates.NOT_SUPPORTED);
  }
}
