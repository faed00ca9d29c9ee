package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The active replicas, as a series of numbered views. */
final class ActiveReplicas {
  private final List<Integer> active;
  private long view;
  private boolean recording;
  private final Set<Integer> awaited = new HashSet<>();
  private int lastOut;

  ActiveReplicas(List<Integer> active, long view) {
    this.active = new ArrayList<>(active);
    this.view = view;
  }

  /** The active replicas, those that have been so for longest first. */
  List<Integer> active() {
    return List.copyOf(active);
  }

  /** Whether something is going on for which the log waits. */
  boolean isSettling() {
    return recording || !awaited.isEmpty();
  }

  /** Takes a replica out; says whether it was active. */
  boolean remove(int replica) {
    awaited.remove(replica);
    boolean wasActive = active.removeIf(member -> member == replica);
    if (wasActive) {
      lastOut = replica;
    }
    return wasActive;
  }

  /** The replica that was active last, while none is. */
  int lastActive() {
    return lastOut;
  }

  /**
   * Whether a replica may be active again. When none is, that is the one that was taken out last:
   * it may remember that it was active alone, so that another process may go on with it, but with
   * no other alone.
   */
  boolean mayReturn(int replica) {
    return !active.isEmpty() || replica == lastOut;
  }

  /** Begins to wait for a replica that does the last of the log, or more of it. */
  void awaitReturn(int replica) {
    awaited.add(replica);
  }

  /** Waits for such a replica no longer. */
  void awaitReturnNoLonger(int replica) {
    awaited.remove(replica);
  }

  /** Adds a replica that is back. */
  void add(int replica) {
    active.add(replica);
    awaited.remove(replica);
  }

  /** The number of the view that the replicas are to remember now. */
  long nextView() {
    recording = true;
    return ++view;
  }

  /** Notes that a view is known to all its members. */
  void recorded(long recordedView) {
    if (recordedView == view) {
      recording = false;
    }
  }
}
