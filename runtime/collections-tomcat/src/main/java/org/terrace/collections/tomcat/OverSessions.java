package org.terrace.collections.tomcat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.core.TimeSource;

/**
 * The sessions that look over at this server, or of which it has parts alone, and whether all other
 * servers were heard since that was found: only then can none of them know of a later use.
 * Thread-safe.
 */
final class OverSessions {
  /**
   * The time for which what looks over here is kept for servers that are missing; by the monotonic
   * clock, as nobody contradicts the wall clock of a server that is alone.
   */
  static final Duration MISSING_MAX = Duration.ofDays(1);

  /** The moment of a finding, and whether it has held at every server since. */
  private record Found(long sinceNanos, BooleanSupplier isForAll) {}

  private final ReplicatedCollections collections;
  private final TimeSource time;
  private final Map<String, Found> found = new ConcurrentHashMap<>();

  OverSessions(ReplicatedCollections collections, TimeSource time) {
    this.collections = collections;
    this.time = time;
  }

  /**
   * Takes note of a session that looks over; says whether it is so for all, who were heard since
   * then or have been missing for a day.
   */
  boolean isForAll(String id) {
    Found here = found.computeIfAbsent(id, absent -> foundNow());
    return here.isForAll.getAsBoolean()
        || time.elapsedNanos() - here.sinceNanos >= MISSING_MAX.toNanos();
  }

  private Found foundNow() {
    return new Found(time.elapsedNanos(), collections.completeUpToNow());
  }

  /** Takes note that a session does not look over. */
  void remove(@Nullable String id) {
    if (id != null) {
      found.remove(id);
    }
  }

  /** Whether a session looked over when it was looked at last. */
  boolean contains(String id) {
    return found.containsKey(id);
  }

  void removeIf(Predicate<String> id) {
    found.keySet().removeIf(id);
  }
}
