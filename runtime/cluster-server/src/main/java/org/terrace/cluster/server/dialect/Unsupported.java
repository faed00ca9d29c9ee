package org.terrace.cluster.server.dialect;

import java.sql.SQLFeatureNotSupportedException;
import org.terrace.cluster.core.SqlStates;

/** The refusals of what JDBC has and the cluster has not. */
public final class Unsupported {
  private Unsupported() {}

  /**
   * A refusal with its reason.
   *
   * @param reason a sentence
   */
  public static SQLFeatureNotSupportedException method(String method, String reason) {
    return new SQLFeatureNotSupportedException(
        method + " is not supported over a cluster: " + reason, SqlStates.NOT_SUPPORTED);
  }

  /** The refusal of keys that are not named. */
  public static SQLFeatureNotSupportedException keysByNumbers() {
    return method("Asking for keys by the numbers of columns", "name the columns.");
  }
}
