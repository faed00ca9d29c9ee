package org.terrace.cluster.jdbc.session;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a cluster that have names of their own and are held by sessions, as advisory locks
 * and named locks are. They are granted in the order of arrival; who would close a circle of waits
 * is refused. A session may hold one many times, and waits for one at a time; one that has ended is
 * granted none. Thread-safe; a request that waits costs the number of all that wait, the end of a
 * session the number of all locks.
 */
final class NamedLocks {
  /** The strengths of a lock. */
  enum Mode {
    SHARED,
    EXCLUSIVE
  }

  /** The outcomes of a request. */
  enum Grant {
    GRANTED,
    /** Others hold it, or held it until the time was over. */
    TAKEN,
    /** The wait was {@linkplain NamedLocks#giveUp given up}, or the session has ended. */
    GIVEN_UP,
    /** Those who hold it wait for the one who asked. */
    DEADLOCK
  }

  private record Wish(Object session, Mode mode) {}

  private static final class Entry {
    private final Map<Object, List<Mode>> holders = new HashMap<>();
    private final Deque<Wish> queue = new ArrayDeque<>();

    boolean isFree() {
      return holders.isEmpty() && queue.isEmpty();
    }

    Set<Object> inTheWay(Wish wish) {
      Set<Object> others = new HashSet<>();
      holders.forEach((session, modes) -> {
        boolean conflicts = wish.mode == Mode.EXCLUSIVE || modes.contains(Mode.EXCLUSIVE);
        if (conflicts && !session.equals(wish.session)) {
          others.add(session);
        }
      });
      return others;
    }

    /** Those who hold it or asked for it before. */
    Set<Object> before(Wish wish) {
      Set<Object> others = inTheWay(wish);
      for (Wish earlier : queue) {
        if (earlier.equals(wish)) {
          break;
        }
        others.add(earlier.session);
      }
      return others;
    }
  }

  private final ReentrantLock monitor = new ReentrantLock();
  private final Condition changed = monitor.newCondition();
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<Object, String> waits = new HashMap<>();
  private final Set<Object> ended = Collections.newSetFromMap(new WeakHashMap<>());

  /** Asks for a lock, and waits for at most so long. */
  Grant acquire(Object session, String name, Mode mode, Duration limit)
      throws InterruptedException {
    monitor.lock();
    try {
      if (!ended.isEmpty() && ended.contains(session)) {
        return Grant.GIVEN_UP;
      }
      Entry entry = entries.computeIfAbsent(name, key -> new Entry());
      Wish wish = new Wish(session, mode);
      boolean passes = entry.queue.isEmpty() || entry.holders.containsKey(session);
      if (passes && entry.inTheWay(wish).isEmpty()) {
        hold(entry, wish);
        return Grant.GRANTED;
      }
      return limit.isPositive() ? await(name, entry, wish, limit) : Grant.TAKEN;
    } finally {
      forgetIfFree(name);
      monitor.unlock();
    }
  }

  private Grant await(String name, Entry entry, Wish wish, Duration limit)
      throws InterruptedException {
    if (entry.holders.containsKey(wish.session)) {
      entry.queue.addFirst(wish);
    } else {
      entry.queue.addLast(wish);
    }
    waits.put(wish.session, name);
    try {
      if (waitsForItself(wish.session)) {
        return Grant.DEADLOCK;
      }
      long left = limit.toNanos();
      while (waits.containsKey(wish.session)) {
        if (entry.before(wish).isEmpty()) {
          hold(entry, wish);
          return Grant.GRANTED;
        }
        if (left <= 0) {
          return Grant.TAKEN;
        }
        left = changed.awaitNanos(left);
      }
      return Grant.GIVEN_UP;
    } finally {
      entry.queue.remove(wish);
      waits.remove(wish.session);
      changed.signalAll();
    }
  }

  /** Lets a session wait no longer, if it does. */
  void giveUp(Object session) {
    monitor.lock();
    try {
      waits.remove(session);
      changed.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Lets a session wait no longer, and go of all that it holds; it is granted nothing more. */
  void end(Object session) {
    monitor.lock();
    try {
      ended.add(session);
      waits.remove(session);
      entries.values().forEach(entry -> entry.holders.remove(session));
      entries.values().removeIf(Entry::isFree);
      changed.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  private static void hold(Entry entry, Wish wish) {
    entry.holders.computeIfAbsent(wish.session, key -> new ArrayList<>()).add(wish.mode);
  }

  private boolean waitsForItself(Object session) {
    Set<Object> seen = new HashSet<>();
    Deque<Object> open = new ArrayDeque<>(blockers(session));
    for (Object one = open.poll(); one != null; one = open.poll()) {
      if (one.equals(session)) {
        return true;
      }
      if (seen.add(one)) {
        open.addAll(blockers(one));
      }
    }
    return false;
  }

  private Set<Object> blockers(Object session) {
    String name = waits.get(session);
    Entry entry = name == null ? null : entries.get(name);
    if (entry == null) {
      return Set.of();
    }
    return entry.queue.stream()
        .filter(wish -> wish.session.equals(session))
        .findFirst()
        .map(entry::before)
        .orElse(Set.of());
  }

  /** Lets go of a lock once; false: the session does not hold it so. */
  boolean release(Object session, String name, Mode mode) {
    monitor.lock();
    try {
      Entry entry = entries.get(name);
      List<Mode> modes = entry == null ? null : entry.holders.get(session);
      if (entry == null || modes == null || !modes.remove(mode)) {
        return false;
      }
      if (modes.isEmpty()) {
        entry.holders.remove(session);
      }
      forgetIfFree(name);
      changed.signalAll();
      return true;
    } finally {
      monitor.unlock();
    }
  }

  /** A session that holds a lock; null: it is free. */
  @Nullable Object holder(String name) {
    monitor.lock();
    try {
      Entry entry = entries.get(name);
      return entry == null ? null : entry.holders.keySet().stream().findFirst().orElse(null);
    } finally {
      monitor.unlock();
    }
  }

  private void forgetIfFree(String name) {
    Entry entry = entries.get(name);
    if (entry != null && entry.isFree()) {
      entries.remove(name);
    }
  }
}
