package org.terrace.collections.jcache;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** The entries of a cache one after the other, each shown being accessed. Confined. */
final class CacheIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
  private final Entries<K, V> entries;
  private final Statistics statistics;
  private final Consumer<K> remover;
  private final Iterator<Map.Entry<K, V>> all;
  private @Nullable K removable;

  CacheIterator(Entries<K, V> entries, Statistics statistics, Consumer<K> remover) {
    this.entries = entries;
    this.statistics = statistics;
    this.remover = remover;
    this.all = entries.map().entrySet().iterator();
  }

  @Override
  public boolean hasNext() {
    return all.hasNext();
  }

  @Override
  public Cache.Entry<K, V> next() {
    if (!all.hasNext()) {
      throw new NoSuchElementException("there is no further entry");
    }
    long start = statistics.start();
    Map.Entry<K, V> next = all.next();
    removable = next.getKey();
    entries.accessed(next.getKey(), next.getValue());
    statistics.read(true, start);
    return new CacheEntry<>(next.getKey(), next.getValue());
  }

  @Override
  public void remove() {
    K key = removable;
    if (key == null) {
      throw new IllegalStateException("next was not called since the last removal");
    }
    removable = null;
    remover.accept(key);
  }
}
