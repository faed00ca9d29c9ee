package org.terrace.collections.replica;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;

/** The tasks that a replica's steps run for others. Confined to the holder of its lock. */
public final class Hooks {
  private record Task(Store<?, ?> collection, Runnable work) {}

  private static final System.Logger LOG = System.getLogger(Hooks.class.getName());

  private final List<Task> afterMessage = new ArrayList<>();
  private final List<Task> everyRound = new ArrayList<>();

  /** Adds what is done at the end of the step of each message, as long as the collection exists. */
  public void afterMessage(Store<?, ?> collection, Runnable task) {
    afterMessage.add(new Task(collection, task));
  }

  /** Adds what is done once a round of gossip, as long as the collection exists. */
  public void everyRound(Store<?, ?> collection, Runnable task) {
    everyRound.add(new Task(collection, task));
  }

  void messageEnded() {
    run(afterMessage);
  }

  void roundEnded() {
    run(everyRound);
  }

  /** Runs a task; what it throws concerns the others neither now nor later. */
  private static void run(Task task) {
    try {
      task.work.run();
    } catch (WriteRefusedException e) {
      return; // this member is shut out, or too much is waiting: a later round
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "The upkeep of '" + task.collection.name + "' failed", e);
    }
  }

  private static void run(List<Task> tasks) {
    boolean anyOver = false;
    for (Task task : tasks) {
      if (task.collection.isDestroyed()) {
        anyOver = true;
      } else {
        run(task);
      }
    }
    if (anyOver) {
      tasks.removeIf(task -> task.collection.isDestroyed());
    }
  }
}
