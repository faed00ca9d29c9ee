package org.terrace.testing;

import java.util.function.BooleanSupplier;

/**
 * A wait for another thread of the same process, which reads no clock: a test that waits so stays
 * pure, and never runs again after a failure. What never comes true is ended by the test's own time
 * limit.
 */
public final class OtherThread {
  private OtherThread() {}

  /**
   * Waits until the condition holds, for example until a thread is held up by a lock.
   *
   * @throws IllegalStateException if the waiting thread is interrupted, as by a test's time limit
   */
  public static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new IllegalStateException("interrupted before the condition held");
      }
      Thread.onSpinWait();
    }
  }
}
