package org.terrace.collections;

import java.util.AbstractCollection;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys and the values of a map as collections that follow it. Their streams go by no size, for
 * it changes meanwhile. Thread-safe; their iterators are confined.
 */
final class MapViews {
  private MapViews() {}

  /** A spliterator over what there is, however much that becomes. */
  static <T> Spliterator<T> spliterator(Iterable<T> all) {
    return Spliterators.spliteratorUnknownSize(all.iterator(), Spliterator.CONCURRENT);
  }

  private record Parts<K, V, T>(
      Iterator<Map.Entry<K, V>> entries, Function<Map.Entry<K, V>, T> part) implements Iterator<T> {
    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public T next() {
      return part.apply(entries.next());
    }

    @Override
    public void remove() {
      entries.remove();
    }
  }

  /** The keys. */
  static final class Keys<K, V> extends AbstractSet<K> {
    private final ReplicatedMap<K, V> map;

    Keys(ReplicatedMap<K, V> map) {
      this.map = map;
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(@Nullable Object candidate) {
      return candidate != null && map.containsKey(candidate);
    }

    @Override
    public boolean remove(@Nullable Object candidate) {
      return candidate != null && map.remove(candidate) != null;
    }

    @Override
    public boolean removeIf(Predicate<? super K> filter) {
      return map.removeEach(entry -> filter.test(entry.getKey()));
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
    public Iterator<K> iterator() {
      return new Parts<>(map.entrySet().iterator(), Map.Entry::getKey);
    }

    @Override
    public Spliterator<K> spliterator() {
      return MapViews.spliterator(this);
    }
  }

  /** The values. */
  static final class Values<K, V> extends AbstractCollection<V> {
    private final ReplicatedMap<K, V> map;

    Values(ReplicatedMap<K, V> map) {
      this.map = map;
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean remove(@Nullable Object value) {
      return super.remove(value) || map.removeEach(entry -> false);
    }

    @Override
    public boolean removeIf(Predicate<? super V> filter) {
      return map.removeEach(entry -> filter.test(entry.getValue()));
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
    public Iterator<V> iterator() {
      return new Parts<>(map.entrySet().iterator(), Map.Entry::getValue);
    }

    @Override
    public Spliterator<V> spliterator() {
      return MapViews.spliterator(this);
    }
  }
}
