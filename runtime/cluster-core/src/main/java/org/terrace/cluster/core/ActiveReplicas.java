package org.terrace.cluster.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The active replicas, as a series of numbered views. */
final class ActiveReplicas {
  private final List<Integer> active;
  private long view;
  private boolean recording;
  private final Set<Integer> awaited = new HashSet<>();

  /** Those that were active and are not, those first that were taken out last. */
  private final Deque<Integer> out = new ArrayDeque<>();

  private final Set<Integer> excluded = new HashSet<>();

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
      out.push(replica);
    }
    return wasActive;
  }

  /**
   * Waits no longer for the return of a replica that remembers that it is not to be gone on with.
   */
  void exclude(int replica) {
    excluded.add(replica);
  }

  /**
   * The replica that was active last, while none is, of those that are not excluded; the very last
   * if all are.
   */
  int lastActive() {
    return out.stream()
        .filter(replica -> !excluded.contains(replica))
        .findFirst()
        .orElse(out.isEmpty() ? 0 : out.getFirst());
  }

  /**
   * Whether a replica may be active again. When none is, that is the one that was taken out last:
   * it may remember that it was active alone, so that another process may go on with it, but with
   * no other alone.
   */
  boolean mayReturn(int replica) {
    return !active.isEmpty() || replica == lastActive();
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
    out.remove(replica);
    excluded.remove(replica);
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
