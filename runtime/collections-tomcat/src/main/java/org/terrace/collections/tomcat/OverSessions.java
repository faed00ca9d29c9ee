package org.terrace.collections.tomcat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedCollections;

/**
 * The sessions that look over at this server, or of which it has parts alone, and whether all other
 * servers were heard since that was found: only then can none of them know of a later use.
 * Thread-safe.
 */
final class OverSessions {
  /** The time for which what looks over here is kept for servers that are missing. */
  static final long MISSING_MILLIS_MAX = Duration.ofDays(1).toMillis();

  private final ReplicatedCollections collections;
  private final Map<String, BooleanSupplier> found = new ConcurrentHashMap<>();

  OverSessions(ReplicatedCollections collections) {
    this.collections = collections;
  }

  /** Takes note of a session that looks over; says whether it is so for all, heard since then. */
  boolean isForAll(String id) {
    return found.computeIfAbsent(id, absent -> collections.completeUpToNow()).getAsBoolean();
  }

  /** Takes note that a session does not look over. */
  void remove(@Nullable String id) {
    if (id != null) {
      found.remove(id);
    }
  }

  void removeIf(Predicate<String> id) {
    found.keySet().removeIf(id);
  }
}
