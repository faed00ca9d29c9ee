package org.terrace.collections.jcache;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.Change;
import org.terrace.collections.replication.ChangeCause;

/**
 * The listeners of a cache. Synchronous ones are told of what this member's callers change by the
 * calling thread, before the call returns; all others, and all of what other members change, by one
 * thread in the order of the changes. Thread-safe.
 */
final class Listeners<K, V> {
  private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

  private record Registered<K, V>(
      CacheEntryListenerConfiguration<K, V> configuration,
      CacheEntryListener<? super K, ? super V> listener,
      @Nullable CacheEntryEventFilter<? super K, ? super V> filter) {}

  private final Cache<K, V> cache;
  private final List<Registered<K, V>> all = new CopyOnWriteArrayList<>();
  private final ExecutorService later =
      Executors.newSingleThreadExecutor(
          Thread.ofVirtual().name("terrace-jcache-listeners").factory());

  Listeners(Cache<K, V> cache) {
    this.cache = cache;
  }

  ExecutorService executor() {
    return later;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Adds one; its configuration must not be among those here. */
  void add(CacheEntryListenerConfiguration<K, V> configuration) {
    if (all.stream().anyMatch(each -> each.configuration.equals(configuration))) {
      throw new IllegalArgumentException("a listener of that configuration is registered already");
    }
    CacheEntryListener<? super K, ? super V> listener =
        configuration.getCacheEntryListenerFactory().create();
    all.add(
        new Registered<>(
            configuration,
            listener,
            configuration.getCacheEntryEventFilterFactory() == null
                ? null
                : configuration.getCacheEntryEventFilterFactory().create()));
  }

  /** Removes those of that configuration; says whether there was one. */
  boolean remove(CacheEntryListenerConfiguration<K, V> configuration) {
    List<Registered<K, V>> removed =
        all.stream().filter(each -> each.configuration.equals(configuration)).toList();
    all.removeAll(removed);
    removed.forEach(Listeners::close);
    return !removed.isEmpty();
  }

  /** Tells of a change by a caller here. */
  void tell(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    CacheEvent<K, V> event = new CacheEvent<>(cache, type, key, value, oldValue);
    for (Registered<K, V> each : all) {
      if (each.configuration.isSynchronous()) {
        tell(each, event);
      } else {
        try {
          later.execute(() -> tellOrLog(each, event));
        } catch (RejectedExecutionException e) {
          return; // the cache is closed
        }
      }
    }
  }

  /** Tells of a change by others, or by time; by the executor. */
  void changed(Change<K, V> change) {
    EventType type = typeOf(change);
    if (type == null || all.isEmpty()) {
      return;
    }
    V before = change.before().orElse(null);
    V after = change.after().orElse(null);
    CacheEvent<K, V> event = new CacheEvent<>(cache, type, change.key(), after, before);
    all.forEach(each -> tellOrLog(each, event));
  }

  private static @Nullable EventType typeOf(Change<?, ?> change) {
    if (change.cause() == ChangeCause.LOCAL) {
      return null; // told by the call
    }
    if (change.after().isEmpty()) {
      if (change.before().isEmpty()) {
        return null;
      }
      return change.cause() == ChangeCause.EXPIRED ? EventType.EXPIRED : EventType.REMOVED;
    }
    return change.before().isEmpty() ? EventType.CREATED : EventType.UPDATED;
  }

  private void tellOrLog(Registered<K, V> each, CacheEvent<K, V> event) {
    try {
      tell(each, event);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A listener of the cache " + cache.getName() + " failed", e);
    }
  }

  private void tell(Registered<K, V> each, CacheEvent<K, V> event) {
    try {
      if (each.filter == null || each.filter.evaluate(event)) {
        call(each.listener, event);
      }
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException("a listener failed: " + e, e);
    }
  }

  @SuppressWarnings("unchecked")
  private void call(CacheEntryListener<? super K, ? super V> listener, CacheEvent<K, V> event) {
    List<CacheEntryEvent<? extends K, ? extends V>> one = List.of(event);
    switch (event.getEventType()) {
      case CREATED -> {
        if (listener instanceof CacheEntryCreatedListener<?, ?> created) {
          ((CacheEntryCreatedListener<K, V>) created).onCreated(one);
        }
      }
      case UPDATED -> {
        if (listener instanceof CacheEntryUpdatedListener<?, ?> updated) {
          ((CacheEntryUpdatedListener<K, V>) updated).onUpdated(one);
        }
      }
      case REMOVED -> {
        if (listener instanceof CacheEntryRemovedListener<?, ?> removed) {
          ((CacheEntryRemovedListener<K, V>) removed).onRemoved(one);
        }
      }
      case EXPIRED -> {
        if (listener instanceof CacheEntryExpiredListener<?, ?> expired) {
          ((CacheEntryExpiredListener<K, V>) expired).onExpired(one);
        }
      }
    }
  }

  private static void close(Registered<?, ?> each) {
    CacheSettings.close(each.listener);
    CacheSettings.close(each.filter);
  }

  void close() {
    later.shutdown();
    all.forEach(Listeners::close);
    all.clear();
  }
}
