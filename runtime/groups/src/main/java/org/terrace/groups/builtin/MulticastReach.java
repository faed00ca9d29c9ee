package org.terrace.groups.builtin;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.terrace.core.TimeSource;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * The members that hear this member's multicast: each answers its probes. Multicast is used only
 * while all members have answered lately, so a network without multicast costs nothing but the
 * probes. Thread-safe.
 */
final class MulticastReach {
  /** The time for which an answer counts. */
  private static final long FRESH_NANOS = 5_000_000_000L;

  private final TimeSource time;
  private final Map<Long, Long> heardNanos = new ConcurrentHashMap<>();
  private volatile boolean reachesAll;

  MulticastReach(TimeSource time) {
    this.time = time;
  }

  boolean reachesAll() {
    return reachesAll;
  }

  void heardBy(long member, View view) {
    heardNanos.put(member, time.elapsedNanos());
    update(view);
  }

  void update(View view) {
    heardNanos.keySet().removeIf(id -> !view.contains(id));
    long now = time.elapsedNanos();
    boolean all = true;
    for (Member other : view.others()) {
      Long heard = heardNanos.get(other.id());
      all &= heard != null && now - heard < FRESH_NANOS;
    }
    reachesAll = all;
  }
}
