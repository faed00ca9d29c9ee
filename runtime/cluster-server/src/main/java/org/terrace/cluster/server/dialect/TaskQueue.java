package org.terrace.cluster.server.dialect;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tasks at one server that are done one after the other in the order in which they came, each by
 * whichever thread an executor has for it. Each sees what those before it left. Thread-safe.
 */
public final class TaskQueue {
  private static final Logger LOG = System.getLogger(TaskQueue.class.getName());

  private final Executor executor;

  /** The task that is being done, and those behind it. */
  private final Deque<Runnable> tasks;

  /**
   * A queue at rest.
   *
   * @param tasks where tasks are kept; it belongs to the queue from now on
   */
  public TaskQueue(Executor executor, Deque<Runnable> tasks) {
    this.executor = executor;
    this.tasks = tasks;
  }

  /** Does the task after those that were given before. */
  public void submit(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (tasks.size() > 1) {
        return;
      }
    }
    executor.execute(() -> doFrom(task));
  }

  private void doFrom(Runnable first) {
    for (Runnable task = first; task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // Those behind it must not wait for ever.
        LOG.log(Level.ERROR, "A task of a transaction failed", e);
      }
    }
  }

  /** Ends the task at the head, and gives the one behind it. */
  private @Nullable Runnable next() {
    synchronized (tasks) {
      tasks.poll();
      return tasks.peek();
    }
  }
}
