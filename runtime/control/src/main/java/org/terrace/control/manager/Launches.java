package org.terrace.control.manager;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The replicas of one service that were started and have not registered yet, and when the next may
 * be started. Failures in a row, and replicas that die young, make it wait twice as long each time.
 * Confined to its {@link ServiceKeeper}.
 */
final class Launches {
  private static final int DOUBLINGS_MAX = 20;

  private final ServiceOptions options;
  private final String incarnation;
  private final Map<String, Long> underWay = new LinkedHashMap<>();
  private final Set<String> waiting = new HashSet<>();
  private long term;
  private long launched;
  private int failures;
  private long notBeforeNanos = Long.MIN_VALUE;

  /**
   * @param incarnation of the manager
   */
  Launches(ServiceOptions options, String incarnation) {
    this.options = options;
    this.incarnation = incarnation;
  }

  int underWay() {
    return underWay.size();
  }

  int failures() {
    return failures;
  }

  /**
   * Begins to launch as the leader of a term. Names carry it and the incarnation, so that no two
   * are alike: a manager leads a term once, and two managers lead one term only when the naming
   * service has lost all that it knew in between.
   */
  void lead(long newTerm) {
    term = newTerm;
    launched = 0;
    failures = 0;
    notBeforeNanos = Long.MIN_VALUE;
  }

  void forget() {
    underWay.clear();
    waiting.clear();
  }

  void registered(String replica) {
    underWay.remove(replica);
    waiting.remove(replica);
  }

  /** A launched replica says that it cannot register yet: its timeout begins anew. */
  void goOn(String replica, long nowNanos, List<ManagerEffect> effects) {
    if (underWay.replace(replica, nowNanos) != null && waiting.add(replica)) {
      effects.add(
          new ManagerEffect.Journal(replica + " waits for its database before it registers"));
    }
  }

  /** A replica ended, or was given up, before it registered. */
  void failed(String replica, long nowNanos) {
    waiting.remove(replica);
    if (underWay.remove(replica) != null) {
      backOff(nowNanos);
    }
  }

  /** A registered replica was lost that long after it registered. */
  void lost(long livedNanos, long nowNanos) {
    if (livedNanos < options.stableAfter().toNanos()) {
      backOff(nowNanos);
    } else {
      failures = 0;
    }
  }

  private void backOff(long nowNanos) {
    long pause = options.backOffMin().toNanos() << Math.min(failures, DOUBLINGS_MAX);
    notBeforeNanos = nowNanos + Math.min(pause, options.backOffMax().toNanos());
    failures++;
  }

  /** Launches what is missing of so many replicas, if it is time. */
  void decide(int wanted, long nowNanos, List<ManagerEffect> effects) {
    long timeout = options.launchTimeout().toNanos();
    for (var entry : new ArrayList<>(underWay.entrySet())) {
      if (nowNanos - entry.getValue() > timeout) {
        effects.add(new ManagerEffect.Kill(entry.getKey(), 0));
        failed(entry.getKey(), nowNanos);
      }
    }
    while (underWay.size() < wanted && nowNanos >= notBeforeNanos) {
      String replica = options.service() + "-" + term + incarnation + "-" + ++launched;
      underWay.put(replica, nowNanos);
      effects.add(new ManagerEffect.Launch(options.service(), replica));
    }
  }
}
