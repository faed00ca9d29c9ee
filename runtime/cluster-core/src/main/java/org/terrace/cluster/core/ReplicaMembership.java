package org.terrace.cluster.core;

import org.jspecify.annotations.Nullable;

/** The membership of replicas, as transactions see it. */
interface ReplicaMembership {
  /** Takes a replica out for what it answered. */
  void dissent(int replica, StatementOutcome outcome);

  /** Takes a replica out that lacks what the others have and no log tells of. */
  void lacks(int replica);

  /** The reason for which no writes are taken; null if they are. */
  @Nullable String refusal();
}
