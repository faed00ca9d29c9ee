package org.terrace.collections.replica;

import java.util.ArrayList;
import java.util.List;

/** The tasks that a replica's steps run for others. Confined to the holder of its lock. */
public final class Hooks {
  private final List<Runnable> afterMessage = new ArrayList<>();
  private final List<Runnable> everyRound = new ArrayList<>();

  /** Adds what is done at the end of the step of each message. */
  public void afterMessage(Runnable task) {
    afterMessage.add(task);
  }

  /** Adds what is done once a round of gossip. */
  public void everyRound(Runnable task) {
    everyRound.add(task);
  }

  void messageEnded() {
    afterMessage.forEach(Runnable::run);
  }

  void roundEnded() {
    everyRound.forEach(Runnable::run);
  }
}
