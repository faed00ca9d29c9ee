package org.terrace.cluster.server.dialect;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time that a client gives one statement at all servers together, which ends with its answer: a
 * server that is still at it then goes on. Thread-safe.
 */
public final class StatementTimer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(StatementTimer.class.getName());

  private final CompletableFuture<Void> answered = new CompletableFuture<>();

  private StatementTimer() {}

  /**
   * Begins the time of a request, at whose end everything is given up that runs for it.
   *
   * @param running what waits for it, and what is executed for it
   */
  public static StatementTimer begin(StatementRequest request, RunningStatements running) {
    return begin(
        request.options().timeoutSeconds(),
        () -> {
          try {
            running.cancel();
          } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A statement whose time is over could not be given up", e);
          }
        });
  }

  /**
   * Begins the time, at whose end something is done on a thread of its own.
   *
   * @param seconds the time; 0: it has no end
   */
  private static StatementTimer begin(int seconds, Runnable end) {
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
