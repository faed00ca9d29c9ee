package org.terrace.collections.jcache;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.core.codec.AdmittedSerialization;

/**
 * The caches over one replica of the collections, each a map named {@code jcache.NAME}.
 * Thread-safe.
 */
final class ReplicatedCacheManager implements CacheManager {
  private static final Duration DESTRUCTION_TIMEOUT = Duration.ofSeconds(30);

  private final TerraceCachingProvider provider;
  private final URI uri;
  private final ClassLoader loader;
  private final Properties properties;
  private final ManagerSettings settings;
  private final ManagerSettings.Opened replica;
  private final Map<String, ReplicatedCache<?, ?>> caches = new ConcurrentHashMap<>();

  /** The maps that were opened, also of caches that are closed: a map is opened once. */
  private final Map<String, ReplicatedMap<Object, Object>> maps = new ConcurrentHashMap<>();

  private volatile boolean closed;

  ReplicatedCacheManager(
      TerraceCachingProvider provider,
      URI uri,
      ClassLoader loader,
      Properties properties,
      ManagerSettings settings) {
    this.provider = provider;
    this.uri = uri;
    this.loader = loader;
    this.properties = properties;
    this.settings = settings;
    this.replica = settings.open();
  }

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public ClassLoader getClassLoader() {
    return loader;
  }

  @Override
  public Properties getProperties() {
    Properties copy = new Properties();
    copy.putAll(properties);
    return copy;
  }

  @Override
  public synchronized <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String name, C configuration) {
    checkOpen();
    Objects.requireNonNull(name, "a cache has a name");
    Objects.requireNonNull(configuration, "a cache has a configuration");
    if (caches.containsKey(name)) {
      throw new CacheException("the cache '" + name + "' is there already: destroy or get it");
    }
    if (!configuration.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "the cache '" + name + "' would be by reference; replicated values go by value");
    }
    CacheSettings<K, V> kept = new CacheSettings<>(configuration);
    ReplicatedCache<K, V> cache = new ReplicatedCache<>(this, name, kept, map(name));
    caches.put(name, cache);
    cache.begin();
    return cache;
  }

  private <K, V> ReplicatedMap<K, V> map(String name) {
    @SuppressWarnings("unchecked")
    ReplicatedMap<K, V> map = (ReplicatedMap<K, V>) maps.computeIfAbsent(name, this::open);
    return map;
  }

  private ReplicatedMap<Object, Object> open(String name) {
    SerializedCodec<Object> codec =
        new SerializedCodec<>(new AdmittedSerialization(settings.admitted()), loader);
    try {
      return replica
          .collections()
          .map(mapName(name), MapOptions.of(codec, codec).withLevel(settings.level()));
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new CacheException("the cache '" + name + "' cannot be opened: " + e.getMessage(), e);
    }
  }

  private static String mapName(String cache) {
    return "jcache." + cache;
  }

  @Override
  public <K, V> @Nullable Cache<K, V> getCache(String name, Class<K> keys, Class<V> values) {
    Objects.requireNonNull(keys, "keys have a type");
    Objects.requireNonNull(values, "values have a type");
    ReplicatedCache<?, ?> cache = find(name);
    if (cache == null) {
      return null;
    }
    Configuration<?, ?> settings = cache.settings();
    checkType(name, "keys", settings.getKeyType(), keys);
    checkType(name, "values", settings.getValueType(), values);
    @SuppressWarnings("unchecked")
    Cache<K, V> typed = (Cache<K, V>) cache;
    return typed;
  }

  private static void checkType(String name, String what, Class<?> actual, Class<?> asked) {
    if (!actual.equals(asked)) {
      throw new ClassCastException(
          "the %s of the cache '%s' are of %s, and not of %s"
              .formatted(what, name, actual.getName(), asked.getName()));
    }
  }

  @Override
  public <K, V> @Nullable Cache<K, V> getCache(String name) {
    @SuppressWarnings("unchecked")
    Cache<K, V> cache = (Cache<K, V>) find(name);
    return cache;
  }

  private @Nullable ReplicatedCache<?, ?> find(String name) {
    checkOpen();
    return caches.get(Objects.requireNonNull(name, "a cache has a name"));
  }

  @Override
  public Iterable<String> getCacheNames() {
    checkOpen();
    return List.copyOf(caches.keySet());
  }

  @Override
  public synchronized void destroyCache(String name) {
    ReplicatedCache<?, ?> cache = find(name);
    if (cache == null && !maps.containsKey(name)) {
      return;
    }
    if (cache != null) {
      cache.close();
    }
    maps.remove(name);
    if (!replica.collections().destroy(mapName(name), DESTRUCTION_TIMEOUT)) {
      throw new CacheException(
          "the cache '"
              + name
              + "' is destroyed as soon as all known replicas are there, or those that will not come are forgotten; none of its name can be created before");
    }
  }

  /** Forgets a cache that is closed. */
  void closed(ReplicatedCache<?, ?> cache) {
    caches.remove(cache.getName(), cache);
  }

  @Override
  public void enableManagement(String name, boolean enabled) {
    ReplicatedCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.beans().showManagement(enabled);
    }
  }

  @Override
  public void enableStatistics(String name, boolean enabled) {
    ReplicatedCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.beans().showStatistics(enabled);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the manager " + uri + " is closed");
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    provider.closed(this);
    List.copyOf(caches.values()).forEach(ReplicatedCache::close);
    replica.close().run();
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
    if (type == ReplicatedCollections.class) {
      return type.cast(replica.collections());
    }
    throw new IllegalArgumentException("a manager is no " + type.getName());
  }
}
