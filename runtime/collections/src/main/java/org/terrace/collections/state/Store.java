package org.terrace.collections.state;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionDestroyedException;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;

/**
 * The live entries of one collection: for each key the puts that no update has superseded.
 *
 * <p>Read by any thread; changed by the holder of the replica's lock alone.
 */
public final class Store<K, V> {
  private static final System.Logger LOG = System.getLogger(Store.class.getName());

  /** A listener that is told of each change of a key. */
  public interface Observer<K> {
    /** The key's entries were and are these; null for none. */
    void changed(K key, @Nullable Version before, @Nullable Version after, ChangeCause cause);
  }

  /** The collection's name; empty if nobody has opened it here. */
  public final String name;

  /** The number that stands for the name in messages. */
  public final long number;

  /** The codec of keys. */
  public final Codec<K> keys;

  /** The codec of values. */
  public final Codec<V> values;

  /** The entries of each key, the latest first. */
  public final ConcurrentMap<K, Version> slots;

  private final List<Observer<K>> observers = new CopyOnWriteArrayList<>();
  private final AtomicLong changesDropped = new AtomicLong();
  private long fingerprint;
  private long entries;
  private long ownUpTo;
  private final AtomicInteger provisionals = new AtomicInteger();
  private volatile boolean destroyed;
  private volatile boolean mayExpire;

  Store(String name, long number, Codec<K> keys, Codec<V> values, ConcurrentMap<K, Version> slots) {
    this.name = name;
    this.number = number;
    this.keys = keys;
    this.values = values;
    this.slots = slots;
  }

  /** The number of the collection of that name, which is what travels: 63 bits of SHA-256. */
  static long numberOf(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong() & Long.MAX_VALUE;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether the collection was destroyed after it was opened here. */
  public boolean isDestroyed() {
    return destroyed;
  }

  /**
   * Fails if the collection was destroyed after it was opened here.
   *
   * @throws CollectionDestroyedException if it was
   */
  public void checkExists() {
    if (destroyed) {
      throw new CollectionDestroyedException(
          "the collection '" + name + "' was destroyed: open it again for a new one of that name");
    }
  }

  /** Lets whoever has it open know that it is destroyed; what is in it goes by updates. */
  void destroy() {
    destroyed = true;
    observers.clear();
  }

  /** Adds what is told of each change, by the thread that makes it. */
  public void observe(Observer<K> observer) {
    observers.add(observer);
  }

  /** Ends the telling of an observer. */
  public void forget(Observer<K> observer) {
    observers.remove(observer);
  }

  /** Counts a change that a listener could not be told of. */
  public void countDroppedChange() {
    changesDropped.incrementAndGet();
  }

  /** Changes that a listener could not be told of. */
  long changesDropped() {
    return changesDropped.get();
  }

  /** The sum of the fingerprints of all entries: equal for equal sets of entries. */
  long fingerprint() {
    return fingerprint;
  }

  /** Number of entries, those put concurrently at one key counted each. */
  long entries() {
    return entries;
  }

  /** The last update that a caller of this replica made here; 0 if there is none. */
  public long ownUpTo() {
    return ownUpTo;
  }

  void ownUpTo(long sequence) {
    ownUpTo = sequence;
  }

  /** A key from its bytes. */
  public K key(byte[] bytes) {
    return keys.decode(new Decoder(bytes));
  }

  /** A key from its bytes, or null if its codec cannot make one of them. */
  @Nullable K keyIfReadable(byte[] bytes) {
    try {
      return key(bytes);
    } catch (RuntimeException e) { // the codec is the user's
      return null;
    }
  }

  /** The entries of the key, or null. */
  public @Nullable Version get(K key) {
    return slots.get(key);
  }

  /**
   * Takes away the superseded puts that are there and adds the new one unless it is there, in one
   * step for readers; says whether anything changed.
   */
  boolean update(K key, List<Dot> superseded, @Nullable Version added, ChangeCause cause) {
    Version before = slots.get(key);
    Version after = before;
    for (Dot dot : superseded) {
      Version gone = after == null ? null : find(after, dot);
      if (gone != null) {
        after = without(after, dot);
        fingerprint -= gone.fingerprint();
        entries--;
      }
    }
    if (added != null
        && (after == null || find(after, new Dot(added.writer, added.sequence)) == null)) {
      after = with(after, added);
      mayExpire |= added.deadlineMillis != Version.NEVER;
      fingerprint += added.fingerprint();
      entries++;
    }
    if (after == before) {
      return false;
    }
    if (after == null) {
      slots.remove(key);
    } else {
      slots.put(key, after);
    }
    tell(key, before, after, cause);
    return true;
  }

  /** Whether any of the entries may be over. */
  public boolean mayExpire() {
    return mayExpire;
  }

  /** Sets when the entry of that dot, which is there, is over: its content is what it was. */
  public void setDeadline(K key, Dot dot, long deadlineMillis) {
    mayExpire = true;
    slots.computeIfPresent(key, (same, first) -> first.withDeadline(dot, deadlineMillis));
  }

  /** The number of entries among those that readers see here that are undecided requests'. */
  public int provisionals() {
    return provisionals.get();
  }

  /** Shows what an undecided request would do. */
  public void addProvisional(K key, Version added) {
    Version before = slots.get(key);
    Version after = with(before, added);
    provisionals.incrementAndGet();
    slots.put(key, after);
    tell(key, before, after, ChangeCause.LOCAL);
  }

  /** Shows it no more. */
  public void removeProvisional(K key, Dot dot) {
    Version before = slots.get(key);
    if (before == null || find(before, dot) == null) {
      return;
    }
    Version after = without(before, dot);
    if (after == null) {
      slots.remove(key);
    } else {
      slots.put(key, after);
    }
    provisionals.decrementAndGet();
    tell(key, before, after, ChangeCause.LOCAL);
  }

  /** Tells the observers; what one of them throws concerns neither the others nor the update. */
  private void tell(K key, @Nullable Version before, @Nullable Version after, ChangeCause cause) {
    for (Observer<K> observer : observers) {
      try {
        observer.changed(key, before, after, cause);
      } catch (Throwable e) { // the update is made, and must be counted and sent whatever happens
        countDroppedChange();
        LOG.log(Level.ERROR, "A listener of the collection '" + name + "' failed", e);
      }
    }
  }

  /** The entry of that dot, or null. */
  public @Nullable Version find(K key, Dot dot) {
    Version first = slots.get(key);
    return first == null ? null : find(first, dot);
  }

  private static @Nullable Version find(Version first, Dot dot) {
    for (Version entry = first; entry != null; entry = entry.next) {
      if (entry.isDot(dot.writer(), dot.sequence())) {
        return entry;
      }
    }
    return null;
  }

  private static @Nullable Version without(@Nullable Version first, Dot dot) {
    if (first == null || first.isDot(dot.writer(), dot.sequence())) {
      return first == null ? null : first.next;
    }
    return first.withNext(without(first.next, dot));
  }

  private static Version with(@Nullable Version first, Version added) {
    if (first == null || added.isLaterThan(first)) {
      return added.withNext(first);
    }
    return first.withNext(with(first.next, added));
  }
}
