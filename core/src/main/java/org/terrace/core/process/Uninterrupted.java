package org.terrace.core.process;

/** Waits that go on though their thread is interrupted, which it is again afterwards. Stateless. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /**
   * A wait that an interrupt ends, and that can begin again.
   *
   * @param <T> what is waited for
   * @param <E> how it fails
   */
  @FunctionalInterface
  public interface Waiting<T, E extends Exception> {
    /** Waits once. */
    T await() throws InterruptedException, E;
  }

  /**
   * Waits until no interrupt has ended it. An interrupt from before is kept for afterwards, too.
   *
   * @throws E if the wait fails
   */
  public static <T, E extends Exception> T await(Waiting<T, E> waiting) throws E {
    boolean wasInterrupted = false;
    try {
      while (true) {
        wasInterrupted |= Thread.interrupted();
        try {
          return waiting.await();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
