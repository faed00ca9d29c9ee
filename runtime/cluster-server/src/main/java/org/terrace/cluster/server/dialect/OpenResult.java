package org.terrace.cluster.server.dialect;

import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The result of a real statement: counts, or rows that are still to be read. Confined to one
 * thread.
 */
public final class OpenResult {
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
  public OpenResult(
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

  public Statement statement() {
    return statement;
  }

  public boolean hasRows() {
    return hasRows;
  }

  public long[] counts() {
    return counts;
  }

  public String fingerprint() {
    return fingerprint;
  }

  public boolean isWorthKeeping() {
    return worthKeeping;
  }

  /** Sets what is done, once, when the result is closed. */
  public void onClose(Runnable newRelease) {
    release = newRelease;
  }

  public void close() {
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
