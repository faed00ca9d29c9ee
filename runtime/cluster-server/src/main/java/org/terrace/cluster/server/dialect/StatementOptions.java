package org.terrace.cluster.server.dialect;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The settings with which a statement is executed. Immutable.
 *
 * @param maxRows at most so many rows; 0: all
 * @param fetchRows so many rows are fetched at once; 0: as the driver likes
 * @param timeoutSeconds after this the server gives up; 0: never
 * @param resultType a type of {@link ResultSet}
 */
public record StatementOptions(int maxRows, int fetchRows, int timeoutSeconds, int resultType) {
  public static final StatementOptions USUAL =
      new StatementOptions(0, 0, 0, ResultSet.TYPE_FORWARD_ONLY);

  /**
   * The usual ones for results of a type.
   *
   * @throws SQLException when rows are to be updated in place
   */
  public static StatementOptions of(int resultType, int concurrency) throws SQLException {
    if (concurrency != ResultSet.CONCUR_READ_ONLY) {
      throw Unsupported.method(
          "CONCUR_UPDATABLE", "a row would be changed at one replica only. Use UPDATE.");
    }
    return USUAL.withResultType(resultType);
  }

  public StatementOptions withMaxRows(int rows) {
    return new StatementOptions(rows, fetchRows, timeoutSeconds, resultType);
  }

  public StatementOptions withFetchRows(int rows) {
    return new StatementOptions(maxRows, rows, timeoutSeconds, resultType);
  }

  public StatementOptions withTimeoutSeconds(int seconds) {
    return new StatementOptions(maxRows, fetchRows, seconds, resultType);
  }

  public StatementOptions withResultType(int type) {
    return new StatementOptions(maxRows, fetchRows, timeoutSeconds, type);
  }
}
