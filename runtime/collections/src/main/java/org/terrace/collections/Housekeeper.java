package org.terrace.collections;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
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

  record Due<K>(long millis, K key, Dot dot) {}

  private record Put<K>(K key, Dot dot, long stamp) {}

  private final LocalWrites writes;
  private final Supplier<View> view;
  private final Store<K, V> store;
  private final long entriesMax;
  private final ToLongBiFunction<K, Version> overMillis;
  final PriorityQueue<Due<K>> due = new PriorityQueue<>(Comparator.comparingLong(Due::millis));
  private final PriorityQueue<Put<K>> puts =
      new PriorityQueue<>(Comparator.<Put<K>>comparingLong(Put::stamp).thenComparing(Put::dot));
  private long tooManySinceMillis = NEVER;

  private Housekeeper(
      Replica replica,
      Store<K, V> store,
      long entriesMax,
      ToLongBiFunction<K, Version> overMillis) {
    this.writes = replica.writes();
    this.view = replica::view;
    this.store = store;
    this.entriesMax = entriesMax;
    this.overMillis = overMillis;
  }

  /**
   * Begins to keep house; to be called within a step.
   *
   * @param entriesMax how many entries there may be; zero for any number
   * @param overMillis when an entry is to be removed, in milliseconds since 1970
   */
  static <K, V> Housekeeper<K, V> employ(
      Replica replica,
      Store<K, V> store,
      long entriesMax,
      ToLongBiFunction<K, Version> overMillis) {
    Housekeeper<K, V> housekeeper = new Housekeeper<>(replica, store, entriesMax, overMillis);
    store.slots.forEach((key, first) -> housekeeper.note(key, null, first));
    store.observe((key, before, after, cause) -> housekeeper.note(key, before, after));
    replica.hooks().everyRound(store, housekeeper::tick);
    return housekeeper;
  }

  /** Takes note that the put is over then, or later. */
  void note(K key, Dot dot, long millis) {
    due.add(new Due<>(millis, key, dot));
    if (due.size() > 2 * store.slots.size() + SLACK) {
      List<Due<K>> all = due.stream().sorted(due.comparator()).toList();
      Set<Dot> kept = new HashSet<>();
      due.clear(); // of each put the earliest is enough, since it is looked at again then
      for (Due<K> one : all) {
        if (store.find(one.key, one.dot) != null && kept.add(one.dot)) {
          due.add(one);
        }
      }
    }
  }

  private void note(K key, @Nullable Version before, @Nullable Version after) {
    for (Version version = after; version != null; version = version.next) {
      Dot dot = new Dot(version.writer, version.sequence);
      if (version.isProvisional() || isAmong(before, dot)) {
        continue;
      }
      if (version.deadlineMillis != Version.NEVER) {
        note(key, dot, version.deadlineMillis);
      }
      if (entriesMax > 0) {
        puts.add(new Put<>(key, dot, version.stamp));
      }
    }
    if (puts.size() > 2 * store.slots.size() + SLACK) {
      puts.removeIf(put -> store.find(put.key, put.dot) == null);
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
    long nowMillis = writes.nowMillis();
    for (int i = 0; i < REMOVALS_A_TICK_MAX; i++) {
      Due<K> first = due.peek();
      if (first == null || first.millis > nowMillis || !writes.clock().agreed().mayEnd()) {
        break;
      }
      due.remove();
      Version version = store.find(first.key, first.dot);
      if (version == null) {
        continue;
      }
      long over = overMillis.applyAsLong(first.key, version);
      if (over > nowMillis) {
        note(first.key, first.dot, over);
      } else if (isMine(first.dot, nowMillis - over)) {
        remove(first.key, first.dot, ChangeCause.EXPIRED);
      } else {
        note(first.key, first.dot, nowMillis + RETRY_MILLIS);
      }
    }
    evict(nowMillis);
  }

  /** Removes the oldest by stamp: who lacks some entries removes none that are to stay. */
  private void evict(long nowMillis) {
    long tooMany = entriesMax == 0 ? 0 : store.slots.size() - entriesMax;
    if (tooMany <= 0) {
      tooManySinceMillis = NEVER;
      return;
    }
    tooManySinceMillis = Math.min(tooManySinceMillis, nowMillis);
    List<Put<K>> ofOthers = new ArrayList<>();
    for (int i = 0; tooMany > 0 && i < REMOVALS_A_TICK_MAX && !puts.isEmpty(); i++) {
      Put<K> oldest = puts.remove();
      if (store.find(oldest.key, oldest.dot) != null) {
        tooMany--;
        if (isMine(oldest.dot, nowMillis - tooManySinceMillis)) {
          remove(oldest.key, oldest.dot, ChangeCause.EVICTED);
        } else {
          ofOthers.add(oldest);
        }
      }
    }
    puts.addAll(ofOthers);
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
