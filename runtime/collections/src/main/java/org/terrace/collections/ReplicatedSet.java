package org.terrace.collections;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.WriteLevel;

/**
 * A set of which every replica of the group holds a full copy; a removal takes away what this
 * replica has seen, so a member added elsewhere at the same time stays. Otherwise as {@link
 * ReplicatedMap}. Thread-safe.
 *
 * @param <E> the type of the members
 */
public final class ReplicatedSet<E> extends AbstractSet<E> {
  private final ReplicatedMap<E, Boolean> map;

  ReplicatedSet(ReplicatedMap<E, Boolean> map) {
    this.map = map;
  }

  /** The same set, whose updates through what is returned have another level. */
  public ReplicatedSet<E> withLevel(WriteLevel level) {
    return new ReplicatedSet<>(map.withLevel(level));
  }

  /** Adds the member, also if it is there: a removal made elsewhere at the same time misses it. */
  @Override
  public boolean add(E member) {
    return map.put(member, Boolean.TRUE) == null;
  }

  @Override
  public boolean remove(@Nullable Object member) {
    return member != null && map.remove(member) != null;
  }

  @Override
  public boolean contains(@Nullable Object member) {
    return member != null && map.containsKey(member);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
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
  public Iterator<E> iterator() {
    return map.keySet().iterator();
  }

  @Override
  public Spliterator<E> spliterator() {
    return MapViews.spliterator(this);
  }
}
