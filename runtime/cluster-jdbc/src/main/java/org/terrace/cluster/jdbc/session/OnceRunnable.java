package org.terrace.cluster.jdbc.session;

import java.util.concurrent.atomic.AtomicBoolean;

/** A task that is done the first time only. Thread-safe. */
public final class OnceRunnable implements Runnable {
  private final Runnable task;
  private final AtomicBoolean done = new AtomicBoolean();

  /** A task that was not done yet. */
  public OnceRunnable(Runnable task) {
    this.task = task;
  }

  @Override
  public void run() {
    if (done.compareAndSet(false, true)) {
      task.run();
    }
  }
}
