package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.terrace.testing.Await;

/** Another thread that is put between two steps of the one under test. */
final class Between {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Between() {}

  /**
   * Starts a thread, and comes back when it has done its task or is held up: by a lock, or by a
   * wait for what this thread has yet to do.
   */
  static Thread start(Runnable task) {
    Thread other = Thread.startVirtualThread(task);
    awaitHeldUp(other);
    return other;
  }

  private static void awaitHeldUp(Thread other) {
    until(() ->
        switch (other.getState()) {
          case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> true;
          case NEW, RUNNABLE -> false;
        });
  }

  /** Waits until it holds. */
  static void until(BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as("in time").isTrue();
  }
}
