package org.terrace.collections.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.cache.CacheException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.UnacknowledgedWriteException;

/** The calls on many keys at once, each key by itself. Thread-safe. */
final class Batches<K, V> {
  private final Entries<K, V> entries;
  private final External<K, V> external;
  private final Statistics statistics;

  Batches(Entries<K, V> entries, External<K, V> external, Statistics statistics) {
    this.entries = entries;
    this.external = external;
    this.statistics = statistics;
  }

  void putAll(Map<? extends K, ? extends V> all) {
    External.Written<K> written = external.writeAll(all);
    all.forEach((key, value) -> {
      if (written.keys().contains(key)) {
        long start = statistics.start();
        if (put(key, value)) {
          statistics.put(start);
        }
      }
    });
    written.throwFailure();
  }

  private boolean put(K key, V value) {
    return entries.locked(key, () -> entries.put(key, entries.peek(key), value));
  }

  void removeAll(Collection<? extends K> keys) {
    External.Written<K> deleted = external.deleteAll(keys);
    UnacknowledgedWriteException unconfirmed = null;
    for (K key : keys) {
      if (deleted.keys().contains(key)) {
        long start = statistics.start();
        try {
          if (remove(key)) {
            statistics.removed(start);
          }
        } catch (UnacknowledgedWriteException e) {
          unconfirmed = e; // the next ones go all the same
        }
      }
    }
    if (unconfirmed != null) {
      throw unconfirmed;
    }
    entries.awaitRemovals();
    deleted.throwFailure();
  }

  private boolean remove(K key) {
    return entries.locked(key, () -> entries.remove(key) != null);
  }

  /** Loads what is absent, or all, and tells the listener. */
  void load(List<K> keys, boolean replacesExisting, @Nullable CompletionListener listener) {
    try {
      if (external.hasLoader()) {
        List<K> wanted = new ArrayList<>(keys);
        if (!replacesExisting) {
          wanted.removeIf(key -> entries.peek(key) != null);
        }
        external
            .loadAll(wanted)
            .forEach((key, value) -> {
              if (replacesExisting) {
                put(key, value);
              } else {
                entries.locked(key, () -> entries.replace(key, null, value));
              }
            });
      }
    } catch (RuntimeException e) {
      if (listener != null) {
        listener.onException(e instanceof CacheException ? e : new CacheException(e));
      }
      return;
    }
    if (listener != null) {
      listener.onCompletion();
    }
  }
}
