package org.terrace.cluster.jdbc.session;

import java.util.function.BooleanSupplier;
import org.terrace.testing.OtherThread;

/** Another thread that is put between two steps of the one under test. */
final class Between {
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
    OtherThread.await(condition);
  }
}
