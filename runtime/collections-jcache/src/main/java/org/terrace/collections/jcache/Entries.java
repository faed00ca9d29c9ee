package org.terrace.collections.jcache;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.Expiry;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteRefusedException;

/**
 * The entries of one cache: reads, and changes with the expiry that the cache's policy gives them
 * and the events that they cause.
 *
 * <p>Whoever reads and then changes a key does so while he holds its lock, so that callers of this
 * member come one after another. Others do not wait for it: changes that depend on what was there
 * fail if something else has come there. Thread-safe.
 */
final class Entries<K, V> {
  private static final System.Logger LOG = System.getLogger(Entries.class.getName());
  private static final int LOCKS = 64;

  /** The time of what is there, which must be there: what comes anew would live that long. */
  private static final Expiry KEPT = Expiry.sinceCreation(Expiry.LONGEST);

  private final ReplicatedMap<K, V> map;
  private final CacheSettings<K, V> settings;
  private final Listeners<K, V> listeners;
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  Entries(ReplicatedMap<K, V> map, CacheSettings<K, V> settings, Listeners<K, V> listeners) {
    this.map = map;
    this.settings = settings;
    this.listeners = listeners;
  }

  ReplicatedMap<K, V> map() {
    return map;
  }

  /** Does something while no other caller of this member changes the key. */
  <T extends @Nullable Object> T locked(K key, Supplier<T> step) {
    ReentrantLock lock = locks.get(Math.floorMod(key.hashCode() * 0x9E3779B9, LOCKS));
    lock.lock();
    try {
      return step.get();
    } finally {
      lock.unlock();
    }
  }

  /** The value at the key; to look is no access. */
  @Nullable V peek(K key) {
    return map.get(key);
  }

  /** Lets the policy judge an access to an entry that is there. */
  void accessed(K key, V value) {
    Duration life = toLife(fromPolicy(() -> settings.expiry().getExpiryForAccess()));
    if (life == null) {
      return;
    }
    try {
      if (life.isNegative()) {
        expire(key, value);
      } else {
        map.touch(key, life);
      }
    } catch (WriteRefusedException e) {
      LOG.log(Level.DEBUG, "The access is not counted", e); // the read goes on all the same
    }
  }

  private void expire(K key, V value) {
    if (map.remove(key, value)) {
      listeners.tell(EventType.EXPIRED, key, null, value);
    }
  }

  /**
   * Puts a value in place of the one that is there; says whether it was kept.
   *
   * @param old null for none
   */
  boolean put(K key, @Nullable V old, V value) {
    if (old == null) {
      Expiry expiry = forCreation();
      if (expiry == null) {
        return false;
      }
      map.withExpiry(expiry).put(key, value);
      listeners.tell(EventType.CREATED, key, value, null);
      return true;
    }
    Expiry expiry = forUpdate();
    if (expiry == null) {
      map.remove(key); // whatever is there, since the value would have come in its place
      tellOver(key, old, value);
      return true;
    }
    if (!expiry.equals(KEPT)) {
      map.withExpiry(expiry).put(key, value);
    } else if (map.withExpiry(KEPT).replace(key, value) == null) {
      return put(key, null, value); // it ended meanwhile: there is no time to be kept
    }
    listeners.tell(EventType.UPDATED, key, value, old);
    return true;
  }

  /** The same if what is there is still that; says whether it was. */
  boolean replace(K key, @Nullable V old, V value) {
    return replace(key, old, value, () -> {});
  }

  /**
   * The same, which the external store is told of only if it was. What is there again if that fails
   * lives as if it had been updated.
   */
  boolean replace(K key, @Nullable V old, V value, Runnable through) {
    return old == null ? create(key, value, through) : update(key, old, value, through);
  }

  private boolean create(K key, V value, Runnable through) {
    Expiry expiry = forCreation();
    if (expiry == null) {
      through.run(); // over at once: the external store alone has it
      return true;
    }
    boolean isMade =
        made(
            () -> map.withExpiry(expiry).putIfAbsent(key, value) == null,
            through,
            () -> map.remove(key, value));
    if (isMade) {
      listeners.tell(EventType.CREATED, key, value, null);
    }
    return isMade;
  }

  private boolean update(K key, V old, V value, Runnable through) {
    Expiry expiry = forUpdate();
    boolean isMade =
        expiry == null
            ? made(() -> map.remove(key, old), through, () -> putBack(key, old))
            : made(
                () -> map.withExpiry(expiry).replace(key, old, value),
                through,
                () -> map.withExpiry(KEPT).replace(key, value, old));
    if (isMade && expiry == null) {
      tellOver(key, old, value);
    } else if (isMade) {
      listeners.tell(EventType.UPDATED, key, value, old);
    }
    return isMade;
  }

  /**
   * Makes a change that depends on what is there, and then has the external store follow: a change
   * that is lost to another member's must not reach it. If the store fails, the change is undone.
   */
  private static boolean made(BooleanSupplier change, Runnable through, Runnable undo) {
    boolean isMade;
    try {
      isMade = change.getAsBoolean();
    } catch (UnacknowledgedWriteException e) {
      through.run(); // it is made all the same
      throw e;
    }
    if (!isMade) {
      return false;
    }
    try {
      through.run();
    } catch (RuntimeException | Error e) {
      try {
        undo.run();
      } catch (RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    return true;
  }

  private void putBack(K key, V old) {
    Expiry expiry = forCreation();
    if (expiry != null) {
      map.withExpiry(expiry).putIfAbsent(key, old);
    }
  }

  private void tellOver(K key, V old, V value) {
    listeners.tell(EventType.UPDATED, key, value, old);
    listeners.tell(EventType.EXPIRED, key, null, value);
  }

  /** Removes what is there, and gives it. */
  @Nullable V remove(K key) {
    V old = map.remove(key);
    if (old != null) {
      listeners.tell(EventType.REMOVED, key, null, old);
    }
    return old;
  }

  /** Waits for the removals before, as one that finds nothing does. */
  void awaitRemovals() {
    map.keySet().removeAll(List.of());
  }

  /**
   * Removes what is there if it is still that, which the external store is told of only if it was;
   * says whether it was.
   */
  boolean removeExactly(K key, V old, Runnable through) {
    if (!made(() -> map.remove(key, old), through, () -> putBack(key, old))) {
      return false;
    }
    listeners.tell(EventType.REMOVED, key, null, old);
    return true;
  }

  /** Null if an entry that is created is over at once. */
  private @Nullable Expiry forCreation() {
    Duration life = toLife(fromPolicy(() -> settings.expiry().getExpiryForCreation()));
    if (life == null) {
      return Expiry.NEVER;
    }
    return life.isNegative() ? null : Expiry.sinceUpdate(life);
  }

  /** Null if an entry that is updated is over at once. */
  private @Nullable Expiry forUpdate() {
    Duration life = toLife(fromPolicy(() -> settings.expiry().getExpiryForUpdate()));
    if (life == null) {
      return KEPT;
    }
    return life.isNegative() ? null : Expiry.sinceUpdate(life);
  }

  private static javax.cache.expiry.@Nullable Duration fromPolicy(
      Supplier<javax.cache.expiry.@Nullable Duration> policy) {
    try {
      return policy.get();
    } catch (RuntimeException e) { // the policy is the user's, and the call goes on without it
      return null;
    }
  }

  /** Null for "as it was", zero for ever, negative for none at all. */
  private static @Nullable Duration toLife(javax.cache.expiry.@Nullable Duration given) {
    if (given == null) {
      return null;
    }
    if (given.isZero()) {
      return Duration.ofMillis(-1);
    }
    if (given.isEternal()) {
      return Duration.ZERO;
    }
    long millis = given.getTimeUnit().toMillis(given.getDurationAmount());
    return millis > Expiry.LONGEST.toMillis()
        ? Duration.ZERO
        : Duration.ofMillis(Math.max(1, millis));
  }
}
