package org.terrace.collections;

import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.structures.causality.Version;

/**
 * A {@link ReplicatedMap} in the order of its keys; all replicas must use the same order.
 * Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
// The interface is the smaller one: nothing needs the many methods of NavigableMap yet.
@SuppressWarnings("JdkObsolete")
public final class ReplicatedSortedMap<K, V> extends ReplicatedMap<K, V>
    implements SortedMap<K, V> {
  private final NavigableMap<K, Version> range;
  private final Comparator<? super K> order;
  private final @Nullable K low;
  private final @Nullable K high;

  ReplicatedSortedMap(
      Updates<K, V> updates,
      NavigableMap<K, Version> range,
      Comparator<? super K> order,
      @Nullable K low,
      @Nullable K high) {
    super(updates);
    this.range = range;
    this.order = order;
    this.low = low;
    this.high = high;
  }

  @Override
  Map<K, Version> slots() {
    updates().store().checkExists();
    return range;
  }

  @Override
  public ReplicatedSortedMap<K, V> withLevel(WriteLevel level) {
    return new ReplicatedSortedMap<>(updates().withLevel(level), range, order, low, high);
  }

  @Override
  public ReplicatedSortedMap<K, V> withExpiry(Expiry expiry) {
    return new ReplicatedSortedMap<>(updates().withExpiry(expiry), range, order, low, high);
  }

  @Override
  public boolean containsKey(Object key) {
    return isInRange(updates().key(key)) && super.containsKey(key);
  }

  @Override
  public @Nullable V get(Object key) {
    return isInRange(updates().key(key)) ? super.get(key) : null;
  }

  @Override
  public @Nullable V put(K key, V value) {
    if (!isInRange(key)) {
      throw new IllegalArgumentException("the key lies outside of this range");
    }
    return super.put(key, value);
  }

  @Override
  public @Nullable V remove(Object key) {
    return isInRange(updates().key(key)) ? super.remove(key) : null;
  }

  private boolean isInRange(K key) {
    return (low == null || order.compare(key, low) >= 0)
        && (high == null || order.compare(key, high) < 0);
  }

  @Override
  public Comparator<? super K> comparator() {
    return order;
  }

  @Override
  public SortedMap<K, V> subMap(K from, K to) {
    if (order.compare(from, to) > 0) {
      throw new IllegalArgumentException("a range ends where it begins or later");
    }
    return view(from, to);
  }

  @Override
  public SortedMap<K, V> headMap(K to) {
    return view(low, to);
  }

  @Override
  public SortedMap<K, V> tailMap(K from) {
    return view(from, high);
  }

  private SortedMap<K, V> view(@Nullable K from, @Nullable K to) {
    NavigableMap<K, Version> narrower = range;
    if (from != null) {
      narrower = narrower.tailMap(from, true);
    }
    if (to != null) {
      narrower = narrower.headMap(to, false);
    }
    return new ReplicatedSortedMap<>(updates(), narrower, order, from, to);
  }

  @Override
  public K firstKey() {
    for (Map.Entry<K, V> entry : entrySet()) {
      return entry.getKey();
    }
    throw new NoSuchElementException();
  }

  @Override
  public K lastKey() {
    updates().store().checkExists();
    for (Map.Entry<K, Version> slot : range.descendingMap().entrySet()) {
      if (updates().visible(slot.getValue()) != null) {
        return slot.getKey();
      }
    }
    throw new NoSuchElementException();
  }
}
