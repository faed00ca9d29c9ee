package org.terrace.cluster.server.dialect;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The result of a real statement: counts, or rows that are still to be read. For one thread at a
 * time, but for what is done when it is closed, which another may set.
 */
public final class OpenResult {
  private final Statement statement;
  private final boolean hasRows;
  private final long[] counts;
  private final String fingerprint;
  private final boolean worthKeeping;
  private final AtomicReference<@Nullable Runnable> release = new AtomicReference<>();

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

  /** Sets what is done, once, when the result is closed; at once if it was. */
  public void onClose(Runnable newRelease) {
    if (!release.compareAndSet(null, newRelease)) {
      newRelease.run();
    }
  }

  /**
   * Ends the use of a result whose connection another thread may be using: it is closed with that.
   */
  public void abandon() {
    Runnable once = release.getAndSet(OpenResult::nothingIsLeft);
    if (once != null) {
      once.run();
    }
  }

  public void close() {
    try {
      statement.close();
    } catch (SQLException e) {
      // The connection is gone; whoever uses it next learns that.
    } finally {
      abandon();
    }
  }

  /** Stands for what was done at the end. */
  private static void nothingIsLeft() {}
}
