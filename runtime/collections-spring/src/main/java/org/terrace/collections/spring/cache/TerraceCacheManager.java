package org.terrace.collections.spring.cache;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.terrace.collections.ReplicatedCollections;

/**
 * Spring's caches in replicated maps, one for each name: those whose settings are given, and others
 * by the defaults as soon as they are asked for. Thread-safe.
 */
public final class TerraceCacheManager implements CacheManager {
  /** The prefix of a cache's name in the name of its map. */
  private static final String MAP_PREFIX = "cache:";

  private final ReplicatedCollections collections;
  private final TerraceCacheOptions defaults;
  private final Map<String, TerraceCacheOptions> options;
  private final @Nullable ClassLoader loader;
  private final Map<String, TerraceCache> caches = new ConcurrentHashMap<>();

  /**
   * A manager, whose values are of classes that the present thread's class loader finds.
   *
   * @param collections the replica; it stays the caller's to close
   * @param defaults the settings of caches of other names
   * @param options by name of a cache, its settings, the same at all servers
   */
  public TerraceCacheManager(
      ReplicatedCollections collections,
      TerraceCacheOptions defaults,
      Map<String, TerraceCacheOptions> options) {
    this.collections = collections;
    this.defaults = defaults;
    this.options = Map.copyOf(options);
    this.loader = Thread.currentThread().getContextClassLoader();
  }

  @Override
  public Cache getCache(String name) {
    return caches.computeIfAbsent(
        name,
        absent ->
            new TerraceCache(
                absent,
                MAP_PREFIX + absent,
                collections,
                options.getOrDefault(absent, defaults),
                loader));
  }

  /** The caches with settings, and those that were asked for. */
  @Override
  public Collection<String> getCacheNames() {
    Set<String> names = new TreeSet<>(options.keySet());
    names.addAll(caches.keySet());
    return names;
  }

  @Override
  public void resetCaches() {
    getCacheNames().forEach(name -> getCache(name).clear());
  }
}
