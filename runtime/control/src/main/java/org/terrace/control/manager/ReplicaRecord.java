package org.terrace.control.manager;

import org.terrace.middleware.Profile;

/** A replica that is connected to this manager. Confined to its {@link ServiceKeeper}. */
final class ReplicaRecord {
  final Profile profile;
  final long pid;
  final long sinceNanos;
  boolean draining;
  long drainingSinceNanos;
  boolean askedToDrain;

  /** Whether its end has been ordered, other than by a verdict. */
  boolean killed;

  ReplicaRecord(Profile profile, long pid, long nowNanos) {
    this.profile = profile;
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
    return profile.replica();
  }
}
