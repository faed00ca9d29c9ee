package org.terrace.cluster.core;

/**
 * The number of replicas that must have done a write before its client is told. All replicas get
 * every write, whichever is chosen.
 */
public enum WriteStrategy {
  /** All of them: a read anywhere sees every write that was answered. */
  WAIT_ALL,
  /** More than half of them. */
  MAJORITY,
  /** One. The slower ones follow, in the same order. */
  WAIT_FIRST;

  /** The number of replicas, of those given, that are waited for, at least 1. */
  int needed(int replicas) {
    return switch (this) {
      case WAIT_ALL -> replicas;
      case MAJORITY -> replicas / 2 + 1;
      case WAIT_FIRST -> 1;
    };
  }
}
