package org.terrace.cluster.server.dialect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time that a client gives one statement at all servers together, which ends with its answer: a
 * server that is still at it then goes on. Thread-safe.
 */
public final class StatementTimer implements AutoCloseable {
  private final CompletableFuture<Void> answered = new CompletableFuture<>();

  private StatementTimer() {}

  /**
   * Begins the time, at whose end something is done on a thread of its own.
   *
   * @param seconds the time; 0: it has no end
   */
  public static StatementTimer begin(int seconds, Runnable end) {
    StatementTimer timer = new StatementTimer();
    if (seconds > 0) {
      CompletableFuture<Void> _ =
          timer
              .answered
              .orTimeout(seconds, TimeUnit.SECONDS)
              .whenComplete((_, over) -> {
                if (over instanceof TimeoutException) {
                  Thread.startVirtualThread(end);
                }
              });
    }
    return timer;
  }

  /** Ends the time, as the statement is answered. */
  @Override
  public void close() {
    answered.complete(null);
  }
}
