package org.terrace.collections.spring.session;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.terrace.core.TimeSource;

/**
 * Ends sessions that lie unused, and removes what was saved beside the end of its session, now and
 * again on a thread of its own; neither before it is sure that other servers know nothing else.
 * Thread-safe.
 */
final class SessionSweeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SessionSweeper.class.getName());

  /** The time for which a part of a session may lie here before the session's beginning comes. */
  private static final long ORPHAN_MILLIS = 60_000;

  /**
   * The time for which what looks over here is kept for servers that are missing; by the monotonic
   * clock, as nobody contradicts the wall clock of a server that is alone.
   */
  static final Duration MISSING_MAX = Duration.ofDays(1);

  private final TerraceSessionRepository sessions;
  private final TimeSource time;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("terrace-sessions").factory());

  private final ScheduledFuture<?> sweeping;

  /** The moment of a finding, and whether it has held at every server since. */
  private record Found(long sinceNanos, BooleanSupplier isForAll) {}

  /** Sessions that are over here. */
  private final Map<String, Found> over = new ConcurrentHashMap<>();

  /** Parts in the map without a beginning, by their session. */
  private final Map<String, Found> orphans = new HashMap<>();

  long orphanMillis = ORPHAN_MILLIS;

  SessionSweeper(TerraceSessionRepository sessions, Duration period, TimeSource time) {
    this.sessions = sessions;
    this.time = time;
    this.sweeping =
        thread.scheduleWithFixedDelay(
            this::sweepOrLog, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void sweepOrLog() {
    try {
      sweep();
    } catch (RuntimeException | Error e) { // a task that throws is run no more
      LOG.log(Level.WARNING, "Sessions that lie unused are looked for again later", e);
    }
  }

  /** Tells listeners of an end that nobody has asked for; what they throw ends nothing else. */
  static void tell(Runnable listeners) {
    try {
      listeners.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "A listener has failed at the end of a session, which ended", e);
    }
  }

  synchronized void sweep() {
    List<String> all = new ArrayList<>();
    Set<String> ended = new HashSet<>();
    String[] last = {""};
    sessions
        .parts()
        .forEach((key, part) -> {
          if (key.isBeginning()) {
            last[0] = key.session();
            all.add(key.session());
          } else if (!key.session().equals(last[0])) {
            ended.add(key.session());
          }
        });
    forEach(all, sessions::expire);
    over.keySet().removeIf(id -> !sessions.isThere(id));
    removeOrphans(ended);
  }

  /** Does so to each, whatever fails at the others, which are tried again by the next sweep. */
  private static void forEach(List<String> ids, Consumer<String> what) {
    Throwable first = null;
    int failed = 0;
    for (String id : ids) {
      try {
        what.accept(id);
      } catch (RuntimeException | Error e) {
        first = first == null ? e : first;
        failed++;
      }
    }
    if (first != null) {
      LOG.log(Level.WARNING, failed + " sessions that lie unused are looked at again later", first);
    }
  }

  /** Whether a session that is over here is so for all, who were heard since that was found. */
  boolean isOverForAll(String id) {
    return isForAll(over.computeIfAbsent(id, absent -> foundNow()));
  }

  private Found foundNow() {
    return new Found(time.elapsedNanos(), sessions.completeUpToNow());
  }

  private boolean isForAll(Found found) {
    return found.isForAll.getAsBoolean()
        || time.elapsedNanos() - found.sinceNanos >= MISSING_MAX.toNanos();
  }

  void notOver(String id) {
    over.remove(id);
  }

  /** Removes what belongs to no session, once no beginning can be on its way. */
  private void removeOrphans(Set<String> ended) {
    orphans.keySet().retainAll(ended);
    ended.forEach(id -> orphans.computeIfAbsent(id, absent -> foundNow()));
    List<String> lost = new ArrayList<>();
    orphans.forEach((id, orphan) -> {
      long nanos = time.elapsedNanos() - orphan.sinceNanos;
      boolean isDue = nanos >= TimeUnit.MILLISECONDS.toNanos(orphanMillis);
      if (isDue && isForAll(orphan) && !sessions.isThere(id)) {
        lost.add(id);
      }
    });
    forEach(lost, sessions::removeParts);
  }

  @Override
  public void close() {
    sweeping.cancel(false);
    thread.shutdown();
  }
}
