package org.terrace.invocation.softstate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A front end's observations of one service's replicas, and so the order of their speed. Confined.
 *
 * <p>A replica's delay is the smoothed round trip of its health probes, or the age of a health
 * probe not yet answered if that is more: a replica that hangs falls behind before it has answered
 * anything. Each call that this front end has under way there adds one more such delay, so that
 * calls spread. A replica that says it misses updates comes after all that do not, and one that
 * could not be reached comes last.
 */
final class Replicas {
  private static final double SMOOTHING = 0.25;
  private static final double UNKNOWN_DELAY_NANOS = 1_000_000;

  /** One replica. */
  private static final class Replica {
    final String name;
    double delayNanos = UNKNOWN_DELAY_NANOS;
    long healthProbeSentNanos;
    boolean healthProbeOpen;
    boolean reachable = true;
    boolean behind;
    int underWay;

    Replica(String name) {
      this.name = name;
    }

    double delayNow(long nowNanos) {
      return healthProbeOpen
          ? Math.max(delayNanos, (double) (nowNanos - healthProbeSentNanos))
          : delayNanos;
    }

    int rank() {
      return reachable ? behind ? 1 : 0 : 2;
    }
  }

  private final Map<String, Replica> replicas = new LinkedHashMap<>();

  /** Sets who there is; what is known of those that stay is kept. */
  void set(List<String> names) {
    replicas.keySet().retainAll(names);
    for (String name : names) {
      replicas.computeIfAbsent(name, Replica::new);
    }
  }

  List<String> names() {
    return List.copyOf(replicas.keySet());
  }

  boolean isReachable(String name) {
    Replica replica = replicas.get(name);
    return replica != null && replica.reachable;
  }

  /** Notes that a health probe goes out; says whether it may: one at a time is open. */
  boolean healthProbeSent(String name, long nowNanos) {
    Replica replica = replicas.get(name);
    if (replica == null || replica.healthProbeOpen) {
      return false;
    }
    replica.healthProbeOpen = true;
    replica.healthProbeSentNanos = nowNanos;
    return true;
  }

  void healthProbeAnswered(String name, boolean behind, long nowNanos) {
    Replica replica = replicas.get(name);
    if (replica != null && replica.healthProbeOpen) {
      replica.healthProbeOpen = false;
      replica.behind = behind;
      replica.reachable = true;
      double sample = (double) (nowNanos - replica.healthProbeSentNanos);
      replica.delayNanos +=
          replica.delayNanos == UNKNOWN_DELAY_NANOS
              ? sample - replica.delayNanos
              : SMOOTHING * (sample - replica.delayNanos);
    }
  }

  void healthProbeFailed(String name) {
    Replica replica = replicas.get(name);
    if (replica != null) {
      replica.healthProbeOpen = false;
      replica.reachable = false;
    }
  }

  void unreachable(String name) {
    Replica replica = replicas.get(name);
    if (replica != null) {
      replica.reachable = false;
    }
  }

  void sent(String name) {
    Replica replica = replicas.get(name);
    if (replica != null) {
      replica.underWay++;
    }
  }

  void ended(String name, boolean reached) {
    Replica replica = replicas.get(name);
    if (replica != null) {
      replica.underWay = Math.max(0, replica.underWay - 1);
      replica.reachable = reached;
    }
  }

  /** The replicas, the fastest first. */
  List<String> fastest(long nowNanos) {
    List<Replica> order = new ArrayList<>(replicas.values());
    order.sort(
        Comparator.comparingInt(Replica::rank)
            .thenComparingDouble(each -> each.delayNow(nowNanos) * (1 + each.underWay)));
    return order.stream().map(each -> each.name).toList();
  }
}
