package org.terrace.collections.jcache;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedMap;

/** A cache of which every member holds all entries. Thread-safe. */
final class ReplicatedCache<K, V> implements Cache<K, V> {
  private static final System.Logger LOG = System.getLogger(ReplicatedCache.class.getName());
  private static final long LOADS_END_SECONDS = 10;

  private final ReplicatedCacheManager manager;
  private final String name;
  private final CacheSettings<K, V> settings;
  private final Listeners<K, V> listeners;
  private final Entries<K, V> entries;
  private final External<K, V> external;
  private final Statistics statistics = new Statistics();
  private final Beans beans;
  private final Processing<K, V> processing;
  private final Batches<K, V> batches;
  private final Conditions<K, V> conditions;
  private final ExecutorService loads =
      Executors.newThreadPerTaskExecutor(
          Thread.ofVirtual().name("terrace-jcache-loader").factory());
  private volatile Runnable endListening = () -> {};
  private volatile boolean closed;

  ReplicatedCache(
      ReplicatedCacheManager manager,
      String name,
      CacheSettings<K, V> settings,
      ReplicatedMap<K, V> map) {
    this.manager = manager;
    this.name = name;
    this.settings = settings;
    this.listeners = new Listeners<>(this);
    this.entries = new Entries<>(map, settings, listeners);
    this.external = new External<>(settings);
    this.beans = new Beans(manager, name, settings.configuration(), statistics);
    this.processing = new Processing<>(entries, external, statistics);
    this.batches = new Batches<>(entries, external, statistics);
    this.conditions = new Conditions<>(entries, external, statistics);
  }

  /** Listens to the other members, and shows itself. */
  void begin() {
    endListening = entries.map().addListener(listeners.executor(), listeners::changed);
    settings.configuration().getCacheEntryListenerConfigurations().forEach(listeners::add);
    beans.begin();
  }

  Beans beans() {
    return beans;
  }

  MutableConfiguration<K, V> settings() {
    return settings.configuration();
  }

  private void check(Object key) {
    checkOpen();
    Objects.requireNonNull(key, "a key is not null");
  }

  private void check(Object key, Object value) {
    check(key);
    Objects.requireNonNull(value, "a value is not null");
    settings.checkTypes(key, value);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the cache '" + name + "' is closed");
    }
  }

  @Override
  public @Nullable V get(K key) {
    check(key);
    long start = statistics.start();
    V value = entries.peek(key);
    if (value == null) {
      V loaded = settings.readThrough() == null ? null : entries.locked(key, () -> load(key));
      statistics.read(false, start);
      return loaded;
    }
    entries.accessed(key, value);
    statistics.read(true, start);
    return value;
  }

  private @Nullable V load(K key) {
    V present = entries.peek(key);
    if (present != null) {
      return present;
    }
    V loaded = external.readThrough(key);
    if (loaded == null || entries.replace(key, null, loaded)) {
      return loaded;
    }
    V newer = entries.peek(key); // another member put it while this one loaded
    return newer == null ? loaded : newer;
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    checkOpen();
    keys.forEach(key -> Objects.requireNonNull(key, "a key is not null"));
    Map<K, V> all = new HashMap<>();
    for (K key : keys) {
      V value = get(key);
      if (value != null) {
        all.put(key, value);
      }
    }
    return all;
  }

  @Override
  public boolean containsKey(K key) {
    check(key);
    return entries.map().containsKey(key);
  }

  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
    checkOpen();
    keys.forEach(key -> Objects.requireNonNull(key, "a key is not null"));
    List<K> wanted = List.copyOf(keys);
    loads.execute(() -> batches.load(wanted, replaceExisting, listener));
  }

  @Override
  public void put(K key, V value) {
    check(key, value);
    putNow(key, value);
  }

  private @Nullable V putNow(K key, V value) {
    long start = statistics.start();
    return entries.locked(
        key,
        () -> {
          V old = entries.peek(key);
          external.write(key, value);
          if (entries.put(key, old, value)) {
            statistics.put(start);
          }
          return old;
        });
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    check(key, value);
    long start = statistics.start();
    V old = putNow(key, value);
    statistics.read(old != null, start);
    return old;
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> all) {
    checkOpen();
    all.forEach((key, value) -> check(key, value));
    batches.putAll(all);
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    check(key, value);
    return conditions.putIfAbsent(key, value);
  }

  @Override
  public boolean remove(K key) {
    check(key);
    return removeNow(key, statistics.start()) != null;
  }

  private @Nullable V removeNow(K key, long start) {
    return entries.locked(
        key,
        () -> {
          external.delete(key);
          V old = entries.remove(key);
          if (old != null) {
            statistics.removed(start);
          }
          return old;
        });
  }

  @Override
  public boolean remove(K key, V oldValue) {
    check(key, oldValue);
    return conditions.remove(key, oldValue);
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    check(key);
    long start = statistics.start();
    V old = removeNow(key, start);
    statistics.read(old != null, start);
    return old;
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    check(key, oldValue);
    check(key, newValue);
    return conditions.replace(key, oldValue, newValue);
  }

  @Override
  public boolean replace(K key, V value) {
    return getAndReplace(key, value) != null;
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    check(key, value);
    return conditions.replace(key, value);
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    checkOpen();
    keys.forEach(key -> Objects.requireNonNull(key, "a key is not null"));
    batches.removeAll(keys);
  }

  @Override
  public void removeAll() {
    checkOpen();
    batches.removeAll(List.copyOf(entries.map().keySet()));
  }

  @Override
  public void clear() {
    checkOpen();
    entries.map().clear();
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    MutableConfiguration<K, V> copy = new MutableConfiguration<>(settings.configuration());
    if (type.isInstance(copy)) {
      return type.cast(copy);
    }
    throw new IllegalArgumentException("the configuration is no " + type.getName());
  }

  @Override
  public <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    check(key);
    Objects.requireNonNull(processor, "a processor is not null");
    return processing.invoke(key, processor, arguments);
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    checkOpen();
    Objects.requireNonNull(processor, "a processor is not null");
    keys.forEach(key -> Objects.requireNonNull(key, "a key is not null"));
    Map<K, EntryProcessorResult<T>> results = new HashMap<>();
    for (K key : keys) {
      try {
        T result = processing.invoke(key, processor, arguments);
        if (result != null) {
          results.put(key, () -> result);
        }
      } catch (RuntimeException e) {
        EntryProcessorException failure =
            e instanceof EntryProcessorException known ? known : new EntryProcessorException(e);
        results.put(
            key,
            () -> {
              throw failure;
            });
      }
    }
    return results;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public CacheManager getCacheManager() {
    return manager;
  }

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    checkOpen();
    listeners.add(configuration);
    settings.configuration().addCacheEntryListenerConfiguration(configuration);
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    checkOpen();
    if (listeners.remove(Objects.requireNonNull(configuration))) {
      settings.configuration().removeCacheEntryListenerConfiguration(configuration);
    }
  }

  @Override
  public Iterator<Entry<K, V>> iterator() {
    checkOpen();
    return new CacheIterator<>(entries, statistics, key -> removeNow(key, statistics.start()));
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    endListening.run();
    listeners.close();
    beans.close();
    manager.closed(this);
    awaitLoads();
    settings.close();
  }

  /** Waits for what is being loaded, since the loader is closed afterwards. */
  private void awaitLoads() {
    loads.shutdown();
    try {
      if (!loads.awaitTermination(LOADS_END_SECONDS, TimeUnit.SECONDS)) {
        LOG.log(Level.WARNING, "The cache " + name + " is closed while it still loads");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // whoever interrupts does not want to wait
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    if (type.isInstance(entries.map())) {
      return type.cast(entries.map());
    }
    throw new IllegalArgumentException("a cache is no " + type.getName());
  }
}
