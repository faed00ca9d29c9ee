package org.terrace.collections;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.Hooks;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Store;
import org.terrace.collections.state.Version;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * Removes what has expired from one collection, and the oldest when there is too much.
 *
 * <p>An expired entry is hidden from readers at once, by the hybrid clock. Removing it is an update
 * like any other, of exactly that put, so a newer put of the key is never hit and nothing comes
 * back. One member of the view does it, chosen by the entry's fingerprint; when it has not done so
 * in a second, since it has gone or has not opened the collection, the next does. Confined to the
 * holder of the replica's lock.
 */
final class Housekeeper<K, V> {
  private static final long RETRY_MILLIS = 1_000;
  private static final long NEVER = Long.MAX_VALUE;
  private static final int SLACK = 1_024;
  private static final int REMOVALS_A_TICK_MAX = 10_000;

  private record Due<K>(long millis, long overMillis, K key, Dot dot) {}

  private record Arrival<K>(K key, Dot dot) {}

  private final LocalWrites writes;
  private final Supplier<View> view;
  private final Store<K, V> store;
  private final MapOptions<K, V> options;
  private final PriorityQueue<Due<K>> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::millis));
  private final ArrayDeque<Arrival<K>> arrivals = new ArrayDeque<>();
  private long tooManySinceMillis = NEVER;

  private Housekeeper(
      LocalWrites writes, Supplier<View> view, Store<K, V> store, MapOptions<K, V> options) {
    this.writes = writes;
    this.view = view;
    this.store = store;
    this.options = options;
  }

  /** Begins to keep house, if there is anything to do; to be called within a step. */
  static <K, V> void employ(
      LocalWrites writes,
      Supplier<View> view,
      Hooks hooks,
      Store<K, V> store,
      MapOptions<K, V> options) {
    if (options.timeToLive().isZero() && options.entriesMax() == 0) {
      return;
    }
    Housekeeper<K, V> housekeeper = new Housekeeper<>(writes, view, store, options);
    store.slots.forEach((key, first) -> housekeeper.note(key, null, first));
    store.observe((key, before, after, cause) -> housekeeper.note(key, before, after));
    hooks.everyRound(store, housekeeper::tick);
  }

  private void note(K key, @Nullable Version before, @Nullable Version after) {
    for (Version version = after; version != null; version = version.next) {
      Dot dot = new Dot(version.writer, version.sequence);
      if (version.isProvisional() || isAmong(before, dot)) {
        continue;
      }
      if (version.expiresMillis != Version.NEVER) {
        due.add(new Due<>(version.expiresMillis, version.expiresMillis, key, dot));
      }
      if (options.entriesMax() > 0) {
        arrivals.addLast(new Arrival<>(key, dot));
      }
    }
    if (arrivals.size() > 2 * store.slots.size() + SLACK) {
      arrivals.removeIf(arrival -> store.find(arrival.key, arrival.dot) == null);
    }
    if (due.size() > 2 * store.slots.size() + SLACK) {
      due.removeIf(old -> store.find(old.key, old.dot) == null);
    }
  }

  private static boolean isAmong(@Nullable Version first, Dot dot) {
    for (Version version = first; version != null; version = version.next) {
      if (version.isDot(dot.writer(), dot.sequence())) {
        return true;
      }
    }
    return false;
  }

  private void tick() {
    if (!writes.clock().agreed().isAgreed(view.get().others().size())) {
      return; // its own clock alone must not judge what others have put
    }
    long nowMillis = writes.clock().nowMillis();
    for (int i = 0; i < REMOVALS_A_TICK_MAX; i++) {
      Due<K> first = due.peek();
      if (first == null || first.millis > nowMillis) {
        break;
      }
      due.remove();
      if (store.find(first.key, first.dot) != null) {
        if (isMine(first.dot, nowMillis - first.overMillis)) {
          remove(first.key, first.dot, ChangeCause.EXPIRED);
        } else {
          due.add(new Due<>(nowMillis + RETRY_MILLIS, first.overMillis, first.key, first.dot));
        }
      }
    }
    evict(nowMillis);
  }

  private void evict(long nowMillis) {
    long tooMany = options.entriesMax() == 0 ? 0 : store.slots.size() - options.entriesMax();
    if (tooMany <= 0) {
      tooManySinceMillis = NEVER;
      return;
    }
    tooManySinceMillis = Math.min(tooManySinceMillis, nowMillis);
    ArrayDeque<Arrival<K>> ofOthers = new ArrayDeque<>();
    for (int i = 0; tooMany > 0 && i < REMOVALS_A_TICK_MAX && !arrivals.isEmpty(); i++) {
      Arrival<K> oldest = arrivals.removeFirst();
      if (store.find(oldest.key, oldest.dot) != null) {
        tooMany--;
        if (isMine(oldest.dot, nowMillis - tooManySinceMillis)) {
          remove(oldest.key, oldest.dot, ChangeCause.EVICTED);
        } else {
          ofOthers.addFirst(oldest);
        }
      }
    }
    ofOthers.forEach(arrivals::addFirst); // where they were: behind, newer ones would go first
  }

  private void remove(K key, Dot dot, ChangeCause cause) {
    if (!writes.isRetired()) {
      writes.remove(store, key, List.of(dot), WriteLevel.LOCAL, cause);
    }
  }

  /**
   * Whether this member is one of those that are to remove the put by now: of the members of the
   * view, in the order of their weight for it, one more a second (highest random weight).
   */
  private boolean isMine(Dot dot, long overdueMillis) {
    long fingerprint = Fingerprints.of(dot.writer(), dot.sequence());
    long own = Fingerprints.mix(fingerprint ^ writes.writer());
    long before = 0;
    for (Member other : view.get().others()) {
      before += Fingerprints.mix(fingerprint ^ other.id()) > own ? 1 : 0;
    }
    return before * RETRY_MILLIS <= overdueMillis;
  }
}
