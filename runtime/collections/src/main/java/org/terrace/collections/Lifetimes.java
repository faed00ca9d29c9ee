package org.terrace.collections;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.EntryUse;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;

/**
 * The times until which the entries of one map live: what their puts say, and what their uses make
 * of it.
 *
 * <p>Reads leave a note here and take no lock; once a round of gossip, what was read is put into a
 * collection of uses beside the map, unless the others know already that it lives long enough: a
 * use counts for a quarter more than it asks for, so each replica spreads at most one in a quarter
 * of the time. A use names the put that it is about and touches no value: it can neither hide a
 * later put nor bring back what was removed. Of uses at several replicas the latest counts.
 *
 * <p>Confined to the holder of the replica's lock, but for {@link #read}.
 */
class Lifetimes<K, V> {
  private static final System.Logger LOG = System.getLogger(Lifetimes.class.getName());

  /** A use counts for so much of its time more: 1 / 4. */
  private static final int SLACK = 4;

  private static final int SPREAD_A_ROUND_MAX = 10_000;

  /** The rounds that a time to idle must have at least for reads to wait for one. */
  private static final int LAZY_ROUNDS = 2 * SLACK;

  /** The time for which what is about an entry that lives for ever stays once that is gone. */
  private static final long LEFT_OVER_MILLIS = Duration.ofHours(1).toMillis();

  private static final long RETRY_MILLIS = 1_000;

  /** The most that a use adds to its key, with those it stands in place of. */
  private static final int USE_BYTES_MAX = 1 << 10;

  private final Replica replica;
  private final LocalWrites writes;
  private final Store<K, V> store;
  private final Store<K, EntryUse> uses;
  private final long usualIdleMillis;
  private final long lazyMillis;
  private final Set<K> read = ConcurrentHashMap.newKeySet();
  private final Housekeeper<K, V> housekeeper;

  /** Of a map whose uses are kept in that collection; to be called within a step. */
  Lifetimes(Replica replica, Store<K, V> store, Store<K, EntryUse> uses, MapOptions<K, V> options) {
    this.replica = replica;
    this.writes = replica.writes();
    this.store = store;
    this.uses = uses;
    this.usualIdleMillis = options.expiry().sinceUse().toMillis();
    this.lazyMillis = LAZY_ROUNDS * replica.options().gossipPeriod().toMillis();
    this.housekeeper = Housekeeper.employ(replica, store, options.entriesMax(), this::overMillis);
    Housekeeper.employ(replica, uses, 0, this::useOverMillis);
    uses.observe((key, before, after, cause) -> refresh(key));
    store.observe((key, before, after, cause) -> {
      if (after != null && !uses.slots.isEmpty()) {
        refresh(key);
      }
    });
    List.copyOf(uses.slots.keySet()).forEach(this::refresh);
    replica.hooks().everyRound(store, this::spread);
  }

  /** The time to remove an entry: a while after it is over, for uses that are on their way. */
  private long overMillis(K key, Version version) {
    return version.deadlineMillis == Version.NEVER
        ? Long.MAX_VALUE
        : version.deadlineMillis + idleMillis(key, version) / SLACK;
  }

  /** The time to remove a use: once the entry that it is about is gone. */
  private long useOverMillis(K key, Version use) {
    EntryUse value = use.value(uses.values);
    Version entry = store.find(key, new Dot(value.writer(), value.sequence()));
    if (entry == null) {
      return use.expiresMillis;
    }
    long nowMillis = writes.nowMillis();
    return entry.deadlineMillis == Version.NEVER
        ? nowMillis + LEFT_OVER_MILLIS
        : Math.max(entry.deadlineMillis, nowMillis) + RETRY_MILLIS;
  }

  private @Nullable EntryUse use(K key, Version version) {
    EntryUse latest = null;
    for (Version use = uses.slots.get(key); use != null; use = use.next) {
      EntryUse candidate = use.value(uses.values);
      if (candidate.isOf(version.writer, version.sequence)
          && (latest == null || candidate.isLaterThan(latest))) {
        latest = candidate;
      }
    }
    return latest;
  }

  private long idleMillis(K key, Version version) {
    EntryUse use = use(key, version);
    return use == null ? usualIdleMillis : use.idleMillis();
  }

  /** The time at which the entry is over however much it is used. */
  private long limitMillis(K key, Version version) {
    EntryUse use = use(key, version);
    if (use != null) {
      return use.limitMillis();
    }
    return usualIdleMillis > 0 ? Version.NEVER : version.expiresMillis;
  }

  /** Lets the entries at the key live as long as is known by now. */
  private void refresh(K key) {
    for (Version version = store.get(key); version != null; version = version.next) {
      EntryUse use = version.isProvisional() ? null : use(key, version);
      if (use != null && use.deadlineMillis() != version.deadlineMillis) {
        long before = version.deadlineMillis;
        Dot dot = new Dot(version.writer, version.sequence);
        store.setDeadline(key, dot, use.deadlineMillis());
        if (EntryUse.later(before, use.deadlineMillis()) == before) {
          housekeeper.note(key, dot, use.deadlineMillis());
        }
      }
    }
  }

  /** The times until which what is put now lives. */
  private record Life(long idleMillis, long limitMillis, long deadlineMillis) {}

  private Life life(K key, Expiry expiry, List<Version> shown) {
    long nowMillis = writes.nowMillis();
    long limit =
        expiry.sinceUpdate().isZero() ? Version.NEVER : nowMillis + expiry.sinceUpdate().toMillis();
    if (!expiry.sinceCreation().isZero()) {
      limit = EntryUse.earlier(limit, creationLimitMillis(key, expiry, shown, nowMillis));
    }
    long idle = expiry.sinceUse().toMillis();
    return new Life(idle, limit, deadlineMillis(nowMillis, idle, limit));
  }

  private long creationLimitMillis(K key, Expiry expiry, List<Version> shown, long nowMillis) {
    if (shown.isEmpty()) {
      return nowMillis + expiry.sinceCreation().toMillis();
    }
    long limit = limitMillis(key, shown.getFirst());
    for (Version version : shown) {
      limit = EntryUse.later(limit, limitMillis(key, version));
    }
    return limit;
  }

  private static long deadlineMillis(long nowMillis, long idleMillis, long limitMillis) {
    return idleMillis == 0
        ? limitMillis
        : EntryUse.earlier(limitMillis, nowMillis + idleMillis + idleMillis / SLACK);
  }

  /** Whether a put says by its time alone how long its entry lives, or needs a use beside it. */
  private boolean isPlain(Life life) {
    return life.idleMillis == usualIdleMillis
        && (usualIdleMillis == 0 || life.limitMillis == Version.NEVER);
  }

  /**
   * Puts a value in place of what is there; returns nothing to wait for if it is provisional.
   *
   * @param shown what is there and has not expired
   */
  @Nullable PendingWrite put(
      K key, V value, MapOptions<K, V> options, List<Version> shown, @Nullable Version present) {
    Life life = life(key, options.expiry(), shown);
    RequestEffects undecided = RequestEffects.current(writes);
    if (undecided == null) {
      return put(key, value, life, Updates.dotsOf(present), options.level());
    }
    if (!isPlain(life)) {
      throw new IllegalStateException(
          "a request cannot give an entry of '%s' an idle time of its own: let the map's options have it"
              .formatted(store.name));
    }
    undecided.put(store, key, value, life.deadlineMillis, present, options.level());
    return null;
  }

  private PendingWrite put(K key, V value, Life life, List<Dot> superseded, WriteLevel level) {
    if (isPlain(life)) {
      PendingWrite write = writes.put(store, key, value, life.deadlineMillis, superseded, level);
      forgetUses(key);
      return write;
    }
    writes.checkRoom(2, level);
    LocalWrites.checkSize(store.name, store.keys.toBytes(key).length + USE_BYTES_MAX);
    long sequence = writes.nextSequence();
    writes.put(store, key, value, life.deadlineMillis, superseded, WriteLevel.LOCAL);
    return putUse(
        key,
        new EntryUse(
            writes.writer(), sequence, life.idleMillis, life.limitMillis, life.deadlineMillis),
        level);
  }

  private PendingWrite putUse(K key, EntryUse use, WriteLevel level) {
    long deadline = use.deadlineMillis();
    long goesMillis = deadline == Version.NEVER ? writes.nowMillis() + LEFT_OVER_MILLIS : deadline;
    return writes.put(uses, key, use, goesMillis, outdated(key, use), level);
  }

  /** The uses at the key but those of other entries that are there. */
  private List<Dot> outdated(K key, EntryUse by) {
    List<Dot> outdated = new ArrayList<>();
    for (Version use = uses.get(key); use != null; use = use.next) {
      EntryUse value = use.value(uses.values);
      if (value.isOf(by.writer(), by.sequence())
          || store.find(key, new Dot(value.writer(), value.sequence())) == null) {
        outdated.add(new Dot(use.writer, use.sequence));
      }
    }
    return outdated;
  }

  /** Removes the uses of what is not at the key any more. */
  void forgetUses(K key) {
    Version first = uses.slots.isEmpty() ? null : uses.get(key);
    if (first == null) {
      return;
    }
    List<Dot> outdated = outdated(key, new EntryUse(Version.NO_WRITER, 0, 0, 0, 0));
    try {
      if (!outdated.isEmpty()) {
        writes.remove(uses, key, outdated, WriteLevel.LOCAL, ChangeCause.LOCAL);
      }
    } catch (WriteRefusedException e) {
      return; // the update itself is made, and the uses go by themselves once they are over
    }
  }

  /** Takes note that entries are read. By any thread. */
  void read(K key, Version first) {
    if (usualIdleMillis == 0 && uses.slots.isEmpty()) {
      return;
    }
    long nowMillis = writes.nowMillis();
    for (Version version = first; version != null; version = version.next) {
      long idle = version.isProvisional() ? 0 : idleMillis(key, version);
      if (idle > 0 && nowMillis + idle > version.deadlineMillis) {
        noteRead(key, idle);
        return;
      }
    }
  }

  private void noteRead(K key, long idleMillis) {
    if (idleMillis >= lazyMillis) {
      read.add(key);
      return;
    }
    try {
      replica.within(() -> {
        prolong(key);
        return key;
      });
    } catch (WriteRefusedException e) {
      read.add(key); // the read goes on, and a later round may tell of it
    }
  }

  /** Puts the uses of what was read since the last round. */
  void spread() {
    Iterator<K> keys = read.iterator();
    for (int i = 0; i < SPREAD_A_ROUND_MAX && keys.hasNext(); i++) {
      writes.checkRoom(1, WriteLevel.LOCAL); // or all of them wait for a later round
      K key = keys.next();
      keys.remove();
      try {
        prolong(key);
      } catch (WriteRefusedException e) {
        LOG.log(Level.DEBUG, "A key of '" + store.name + "' leaves no room for a use", e);
      }
    }
  }

  private void prolong(K key) {
    long nowMillis = writes.nowMillis();
    giveUses(
        key,
        version -> {
          long idle = idleMillis(key, version);
          long limit = limitMillis(key, version);
          long deadline = deadlineMillis(nowMillis, idle, limit);
          return idle == 0
                  || EntryUse.later(version.deadlineMillis, deadline) == version.deadlineMillis
              ? null
              : new EntryUse(version.writer, version.sequence, idle, limit, deadline);
        });
  }

  /** Whether entries live for so long from now on, or a quarter longer. By any thread. */
  boolean livesSo(K key, Version first, long lifeMillis) {
    long nowMillis = writes.nowMillis();
    for (Version version = first; version != null; version = version.next) {
      if (!version.isProvisional() && !livesSo(key, version, lifeMillis, nowMillis)) {
        return false;
      }
    }
    return true;
  }

  private boolean livesSo(K key, Version version, long lifeMillis, long nowMillis) {
    long leftMillis = version.deadlineMillis - nowMillis;
    boolean isForEver = version.deadlineMillis == Version.NEVER;
    if (lifeMillis == 0 || isForEver) {
      return lifeMillis == 0 && isForEver;
    }
    return leftMillis >= lifeMillis
        && leftMillis <= lifeMillis + lifeMillis / SLACK
        && idleMillis(key, version) == 0;
  }

  /**
   * Lets what is at the key and not over live for so long from now on, or a quarter longer, however
   * it is used; 0 for ever.
   */
  void touch(K key, long lifeMillis) {
    long nowMillis = writes.nowMillis();
    long end = lifeMillis == 0 ? Version.NEVER : nowMillis + lifeMillis + lifeMillis / SLACK;
    giveUses(
        key,
        version ->
            EntryUse.later(version.deadlineMillis, nowMillis) == nowMillis
                    || livesSo(key, version, lifeMillis, nowMillis)
                ? null
                : new EntryUse(version.writer, version.sequence, 0, end, end));
  }

  private void giveUses(K key, Function<Version, @Nullable EntryUse> uses) {
    if (writes.isRetired()) {
      return;
    }
    for (Version version = store.get(key); version != null; version = version.next) {
      EntryUse use = version.isProvisional() ? null : uses.apply(version);
      if (use != null) {
        putUse(key, use, WriteLevel.LOCAL);
      }
    }
  }
}
