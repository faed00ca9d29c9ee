package org.terrace.control.manager;

import org.terrace.middleware.Endpoint;

/** A replica that is connected to this manager. Confined to its {@link ServiceKeeper}. */
final class ReplicaRecord {
  final Endpoint endpoint;
  final long pid;
  final long sinceNanos;
  boolean draining;
  long drainingSinceNanos;
  boolean askedToDrain;

  /** Whether its end has been ordered, other than by a verdict. */
  boolean killed;

  ReplicaRecord(Endpoint endpoint, long pid, long nowNanos) {
    this.endpoint = endpoint;
    this.pid = pid;
    this.sinceNanos = nowNanos;
  }

  /** Whether the replica serves and is to go on serving. */
  boolean isWorking() {
    return !draining && !killed;
  }

  /** Begins to take the replica out of service, if that has not begun yet. */
  void drain(long nowNanos) {
    if (!draining) {
      draining = true;
      drainingSinceNanos = nowNanos;
    }
  }

  String name() {
    return endpoint.replica();
  }
}
