package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The result of a real statement: counts, or rows that are still to be read. Confined to one
 * thread.
 */
final class OpenResult {
  private final Statement statement;
  private final boolean hasRows;
  private final long[] counts;
  private final String fingerprint;
  private final boolean worthKeeping;
  private @Nullable Runnable release;

  /**
   * A result.
   *
   * @param counts affected rows, one for each row of a batch
   * @param fingerprint what must be equal at all replicas
   * @param worthKeeping whether its client may want to read more of it
   */
  OpenResult(
      Statement statement,
      boolean hasRows,
      long[] counts,
      String fingerprint,
      boolean worthKeeping) {
    this.statement = statement;
    this.hasRows = hasRows;
    this.counts = counts;
    this.fingerprint = fingerprint;
    this.worthKeeping = worthKeeping;
  }

  Statement statement() {
    return statement;
  }

  boolean hasRows() {
    return hasRows;
  }

  long[] counts() {
    return counts;
  }

  String fingerprint() {
    return fingerprint;
  }

  boolean isWorthKeeping() {
    return worthKeeping;
  }

  /** Sets what is done, once, when the result is closed. */
  void onClose(Runnable newRelease) {
    release = newRelease;
  }

  void close() {
    try {
      statement.close();
    } catch (SQLException e) {
      // The connection is gone; whoever uses it next learns that.
    } finally {
      Runnable once = release;
      release = null;
      if (once != null) {
        once.run();
      }
    }
  }
}
