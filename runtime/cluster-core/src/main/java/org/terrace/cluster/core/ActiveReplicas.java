package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.List;

/** The active replicas, as a series of numbered views. */
final class ActiveReplicas {
  private static final int NONE = -1;

  private final List<Integer> active;
  private long view;
  private boolean recording;
  private int awaited = NONE;

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
    return recording || awaited != NONE;
  }

  /** Takes a replica out; says whether it was active. */
  boolean remove(int replica) {
    if (awaited == replica) {
      awaited = NONE;
    }
    return active.removeIf(member -> member == replica);
  }

  /** Begins to wait for a replica that is about to return. */
  void awaitReturn(int replica) {
    awaited = replica;
  }

  /** Adds a replica that is back. */
  void add(int replica) {
    active.add(replica);
    if (awaited == replica) {
      awaited = NONE;
    }
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
