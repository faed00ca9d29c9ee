package org.terrace.collections;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.structures.causality.Version;

/** The entries of a map as a set that follows it. Thread-safe; its iterators are confined. */
final class EntrySet<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final ReplicatedMap<K, V> map;

  EntrySet(ReplicatedMap<K, V> map) {
    this.map = map;
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean contains(@Nullable Object candidate) {
    if (!(candidate instanceof Map.Entry<?, ?> entry) || entry.getKey() == null) {
      return false;
    }
    V value = map.get(entry.getKey());
    return value != null && value.equals(entry.getValue());
  }

  @Override
  public boolean remove(@Nullable Object candidate) {
    return candidate instanceof Map.Entry<?, ?> entry
        && entry.getKey() != null
        && map.remove(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
    return map.removeEach(filter::test);
  }

  @Override
  public boolean removeAll(Collection<?> others) {
    return removeIf(others::contains);
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    return removeIf(one -> !others.contains(one));
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return new EntryIterator<>(map);
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return MapViews.spliterator(this);
  }

  private static final class EntryIterator<K, V> implements Iterator<Map.Entry<K, V>> {
    private final ReplicatedMap<K, V> map;
    private final Iterator<Map.Entry<K, Version>> slots;
    private Map.@Nullable Entry<K, V> next;
    private @Nullable K removable;

    EntryIterator(ReplicatedMap<K, V> map) {
      this.map = map;
      this.slots = map.slots().entrySet().iterator();
      advance();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Map.Entry<K, V> next() {
      Map.Entry<K, V> present = next;
      if (present == null) {
        throw new NoSuchElementException();
      }
      removable = present.getKey();
      advance();
      return present;
    }

    @Override
    public void remove() {
      K key = removable;
      if (key == null) {
        throw new IllegalStateException("next was not called since the last removal");
      }
      removable = null;
      map.remove(key);
    }

    private void advance() {
      next = null;
      while (next == null && slots.hasNext()) {
        Map.Entry<K, Version> slot = slots.next();
        V value = map.updates().visible(slot.getValue());
        if (value != null) {
          next = new WritableEntry<>(map, slot.getKey(), value);
        }
      }
    }
  }

  private static final class WritableEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
    private final transient ReplicatedMap<K, V> map;

    WritableEntry(ReplicatedMap<K, V> map, K key, V value) {
      super(key, value);
      this.map = map;
    }

    @Override
    public V setValue(V value) {
      map.put(getKey(), value);
      return super.setValue(value);
    }
  }
}
