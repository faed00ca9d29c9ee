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
  private int pageRows;
  private FetchPlace place = FetchPlace.CALLER;

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

  /** Notes that it has so many rows to a page; 0: all of them are there. */
  OpenResult inPages(int rows) {
    pageRows = rows;
    return this;
  }

  /** The number of rows of its first page; 0: it has no other. */
  public int pageRows() {
    return pageRows;
  }

  /** Sets where its further pages are fetched, and it is closed if it may have any. */
  public void fetchedAt(FetchPlace newPlace) {
    place = newPlace;
  }

  /** The place where its further pages are fetched. */
  public FetchPlace place() {
    return place;
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

  /** Closes it, behind a page that is being fetched, and waits for that unless interrupted. */
  public void close() {
    if (pageRows == 0) {
      closeHere();
      return;
    }
    try {
      place.end(() -> {
        closeHere();
        return true;
      });
    } catch (SQLException e) {
      // Nothing is left to close.
    }
  }

  private void closeHere() {
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
