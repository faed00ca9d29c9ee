package org.terrace.collections;

import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.structures.causality.Version;

/**
 * A map of which every replica of the group holds a full copy.
 *
 * <p>Reads are local and take no lock. Updates are made here, sent to the others, and return when
 * as many replicas hold them as the level asks for ({@link WriteLevel}). Compound operations such
 * as {@code putIfAbsent} and {@code replace} are atomic on this replica alone: the same call on
 * another replica at the same time may succeed as well, and then both values stay until one is
 * chosen by a later put, with the policy deciding what readers see. An update that finds nothing to
 * change, as a removal does that is repeated, waits for those that callers made here before.
 *
 * <p>Keys and values go by value: those of immutable types are kept and handed out as they are,
 * others are copied both ways. A removal takes away what this replica has seen; a concurrent put on
 * another survives. Iterators are weakly consistent. Null is refused. Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public class ReplicatedMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  private final Updates<K, V> updates;
  private final Map<K, Version> entries;

  ReplicatedMap(Updates<K, V> updates) {
    this.updates = updates;
    this.entries = updates.store().slots;
  }

  Updates<K, V> updates() {
    return updates;
  }

  /** The entries to iterate over. */
  Map<K, Version> slots() {
    updates.store().checkExists();
    return updates.store().slots;
  }

  /** The same map, whose updates through what is returned have another level. */
  public ReplicatedMap<K, V> withLevel(WriteLevel level) {
    return new ReplicatedMap<>(updates.withLevel(level));
  }

  /**
   * The same map, whose puts through what is returned let their entries live otherwise than its
   * options say.
   */
  public ReplicatedMap<K, V> withExpiry(Expiry expiry) {
    return new ReplicatedMap<>(updates.withExpiry(expiry));
  }

  @Override
  public @Nullable V get(Object key) {
    updates.store().checkExists();
    Version first = entries.get(Objects.requireNonNull(key));
    if (first == null) {
      return null;
    }
    @SuppressWarnings("unchecked")
    V visible = (V) first.visible();
    return visible != null ? visible : updates.use(updates.key(key), first);
  }

  /** Whether there is an entry at the key; to ask does not use it ({@link Expiry}). */
  @Override
  public boolean containsKey(Object key) {
    Version first = updates.entry(key);
    return first != null && updates.visible(first) != null;
  }

  /**
   * Lets what is at the key live for that time from now on, or up to a quarter longer, whatever its
   * put said, however it is used until the next put, and without a change of its value; says
   * whether there is anything. Sent to the others and not waited for, unless it does so already.
   *
   * @param timeToLive zero for ever
   */
  public boolean touch(K key, Duration timeToLive) {
    return updates.touch(key, Expiry.sinceUpdate(timeToLive).sinceUpdate().toMillis());
  }

  /** All values put concurrently at the key, the latest first; empty if there is none. */
  public List<V> values(K key) {
    Version first = updates.entry(key);
    return first == null ? List.of() : updates.allVisible(first);
  }

  @Override
  public @Nullable V put(K key, V value) {
    Objects.requireNonNull(value);
    return updates.change(key, present -> new Decision.Put<>(value));
  }

  /** The updates of this map by calls that return a stage and do not wait for the others. */
  public AsyncMap<K, V> async() {
    return new AsyncMap<>(this);
  }

  /**
   * Puts without waiting; what is returned tells when as many replicas hold it as the level asks.
   */
  public Acknowledgement putAsync(K key, V value) {
    return updates.put(key, value);
  }

  /** Removes without waiting; what is returned tells when as many replicas have done so. */
  public Acknowledgement removeAsync(K key) {
    return updates.remove(key);
  }

  @Override
  public @Nullable V remove(Object key) {
    K typed = updates.key(key);
    return updates.change(typed, present -> Decision.removeIf(present != null));
  }

  /** Removes the entries of that kind, and waits once for all; says whether there was any. */
  boolean removeEach(Predicate<Map.Entry<K, V>> kind) {
    boolean[] removed = new boolean[1];
    updates.makeAll(each -> {
      for (Map.Entry<K, V> entry : entrySet()) {
        if (kind.test(entry)) {
          each.remove(entry.getKey());
          removed[0] = true;
        }
      }
    });
    return removed[0];
  }

  @Override
  public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends V> next) {
    V result = ConcurrentMap.super.compute(key, next);
    return result == null ? removed() : result;
  }

  @Override
  public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> next) {
    V result = ConcurrentMap.super.computeIfPresent(key, next);
    return result == null ? removed() : result;
  }

  /** Waits for what was removed before, as for a removal that finds nothing. */
  private @Nullable V removed() {
    updates.removeAll(List.of());
    return null;
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(value);
    return updates.change(key, present -> Decision.putIf(present == null, value));
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    if (value == null) {
      return false;
    }
    boolean[] removed = new boolean[1];
    updates.change(
        updates.key(key),
        present -> {
          removed[0] = present != null && updates.isSame(present, value);
          return Decision.removeIf(removed[0]);
        });
    return removed[0];
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue);
    Objects.requireNonNull(newValue);
    boolean[] replaced = new boolean[1];
    updates.change(
        key,
        present -> {
          replaced[0] = present != null && updates.isSame(present, oldValue);
          return Decision.putIf(replaced[0], newValue);
        });
    return replaced[0];
  }

  @Override
  public @Nullable V replace(K key, V value) {
    Objects.requireNonNull(value);
    return updates.change(key, present -> Decision.putIf(present != null, value));
  }

  /**
   * Adds a listener, which is told of each change in the order in which this replica applies them,
   * by the executor. What a listener throws is logged and changes nothing else.
   *
   * @return what removes it
   */
  public Runnable addListener(Executor executor, Consumer<Change<K, V>> listener) {
    return updates.listen(executor, listener);
  }

  @Override
  public int size() {
    return updates.size(slots());
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public void clear() {
    updates.removeAll(new ArrayList<>(slots().keySet()));
  }

  @Override
  public Set<K> keySet() {
    return new MapViews.Keys<>(this);
  }

  @Override
  public Collection<V> values() {
    return new MapViews.Values<>(this);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new EntrySet<>(this);
  }
}
