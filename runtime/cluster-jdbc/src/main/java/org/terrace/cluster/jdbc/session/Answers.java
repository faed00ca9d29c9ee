package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.FetchPlace;

/** The waiting of a client's thread for what the cluster or a replica answers. */
final class Answers {
  private Answers() {}

  static <T> T await(CompletableFuture<T> future) throws SQLException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException failure) {
        throw failure;
      }
      throw new SQLException("A replica's driver failed: " + e.getCause(), "HY000", e.getCause());
    }
  }

  /** Waits for an answer, and does something when it has not come within a time. */
  static <T> T await(CompletableFuture<T> future, Duration limit, Runnable late)
      throws SQLException {
    try {
      future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      late.run();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      // It is thrown below.
    }
    return await(future);
  }

  /** The failure of a client that was interrupted, which says nothing against a replica. */
  static SQLException interrupted(Exception cause) {
    Thread.currentThread().interrupt();
    return FetchPlace.interrupted(cause);
  }

  /** The failure of a commit of which nobody can tell what came of it. */
  static SQLException unknown(String what, @Nullable SQLException cause) {
    return new SQLException(
        what + " while the transaction was being committed: it cannot be told whether it was.",
        SqlStates.OUTCOME_UNKNOWN,
        cause);
  }
}
