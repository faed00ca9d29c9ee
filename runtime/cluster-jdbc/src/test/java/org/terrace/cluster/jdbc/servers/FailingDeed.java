package org.terrace.cluster.jdbc.servers;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** Something that a client does, and that is to end in a failure. */
@FunctionalInterface
public interface FailingDeed {
  /** Does it. */
  void run() throws SQLException;

  /** The failure in which a deed ends that another thread does. */
  static CompletableFuture<SQLException> begin(FailingDeed deed) {
    CompletableFuture<SQLException> failure = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        deed.run();
        failure.completeExceptionally(new AssertionError("it was done"));
      } catch (SQLException e) {
        failure.complete(e);
      } catch (RuntimeException e) {
        failure.completeExceptionally(e);
      }
    });
    return failure;
  }
}
