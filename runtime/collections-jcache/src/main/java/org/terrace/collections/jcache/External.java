package org.terrace.collections.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/** The store behind a cache, read and written by the user's loader and writer. Thread-safe. */
final class External<K, V> {
  private final CacheSettings<K, V> settings;

  External(CacheSettings<K, V> settings) {
    this.settings = settings;
  }

  private static <T extends @Nullable Object> T loading(Supplier<T> call) {
    try {
      return call.get();
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader failed: " + e, e);
    }
  }

  private static void writing(Runnable call) {
    try {
      call.run();
    } catch (CacheWriterException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheWriterException("the writer failed: " + e, e);
    }
  }

  /** The value that the loader has for the key, if the cache reads through. */
  @Nullable V readThrough(K key) {
    CacheLoader<K, V> loader = settings.readThrough();
    return loader == null ? null : loading(() -> loader.load(key));
  }

  boolean hasLoader() {
    return settings.loader() != null;
  }

  /** The values that the loader has for the keys, without those for which it has none. */
  Map<K, V> loadAll(Collection<? extends K> keys) {
    CacheLoader<K, V> loader = settings.loader();
    Map<K, V> loaded = new HashMap<>();
    if (loader != null && !keys.isEmpty()) {
      loading(() -> loader.loadAll(keys))
          .forEach((key, value) -> {
            if (key != null && value != null) {
              loaded.put(key, value);
            }
          });
    }
    return loaded;
  }

  /** Writes through, if the cache does. */
  void write(K key, V value) {
    CacheWriter<K, V> writer = settings.writeThrough();
    if (writer != null) {
      writing(() -> writer.write(new CacheEntry<>(key, value)));
    }
  }

  /** Deletes through, if the cache writes through. */
  void delete(K key) {
    CacheWriter<K, V> writer = settings.writeThrough();
    if (writer != null) {
      writing(() -> writer.delete(key));
    }
  }

  /** The part of a batch that was written, and the failure that ended it. */
  record Written<K>(Set<K> keys, @Nullable CacheWriterException failure) {
    void throwFailure() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** Writes all through, if the cache does. */
  Written<K> writeAll(Map<? extends K, ? extends V> all) {
    CacheWriter<K, V> writer = settings.writeThrough();
    if (writer == null) {
      return new Written<>(new HashSet<>(all.keySet()), null);
    }
    List<Cache.Entry<? extends K, ? extends V>> left = new ArrayList<>();
    all.forEach((key, value) -> left.add(new CacheEntry<>(key, value)));
    Set<K> written = new HashSet<>(all.keySet());
    CacheWriterException failure = null;
    try {
      writing(() -> writer.writeAll(left));
    } catch (CacheWriterException e) {
      failure = e;
      left.forEach(entry -> written.remove(entry.getKey()));
    }
    return new Written<>(written, failure);
  }

  /** Deletes all through, if the cache writes through. */
  Written<K> deleteAll(Collection<? extends K> keys) {
    CacheWriter<K, V> writer = settings.writeThrough();
    Set<K> deleted = new HashSet<>(keys);
    if (writer == null || keys.isEmpty()) {
      return new Written<>(deleted, null);
    }
    List<K> left = new ArrayList<>(keys);
    CacheWriterException failure = null;
    try {
      writing(() -> writer.deleteAll(left));
    } catch (CacheWriterException e) {
      failure = e;
      left.forEach(deleted::remove);
    }
    return new Written<>(deleted, failure);
  }
}
