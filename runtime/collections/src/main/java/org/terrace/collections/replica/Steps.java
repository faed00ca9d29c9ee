package org.terrace.collections.replica;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one replica's state machine: whoever changes or compares several of its parts does
 * so within one. Thread-safe.
 */
public interface Steps {
  /** Begins a step, or goes on with that of the calling thread. */
  void enter();

  /** Ends a step: the last of the waiting threads sends what all of them have made. */
  void leave();

  /** Waits until an update more may be on the way, but never within a step. */
  void awaitRoom();

  /**
   * Waits for an update as its level asks, for as long as the replica's options allow.
   *
   * @param collection the name of the collection, for the message
   * @throws org.terrace.collections.replication.UnacknowledgedWriteException if it took too long
   */
  void await(PendingWrite write, String collection);

  /**
   * Makes updates as the call does, but waits for none of them.
   *
   * @return what completes once they are acknowledged ({@link WriteWaits#submit})
   */
  <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call);

  /** Does a piece of work in one step. */
  default <T extends @Nullable Object> T within(Supplier<T> step) {
    enter();
    try {
      return step.get();
    } finally {
      leave();
    }
  }
}
