package org.terrace.collections.jcache;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.WeakHashMap;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedCollections;

/**
 * The provider of caches of which every member of a group holds all entries, found by {@code
 * javax.cache.Caching}.
 *
 * <p>A manager uses the collections that its properties hold ({@link #properties}), or opens a
 * replica of its own by the settings that its properties, and before them the file {@code
 * terrace-jcache.properties} among the resources of its class loader, have: {@code terrace.group},
 * {@code terrace.member}, {@code terrace.address}, {@code terrace.port}, {@code terrace.contacts}
 * and {@code terrace.secret}; of caches, {@code terrace.admitted} and {@code terrace.level}. Beside
 * a class loader and a URI, which is a name and nothing else, there is one manager. Thread-safe.
 */
public final class TerraceCachingProvider implements CachingProvider {
  /** The property that holds an application's own {@link ReplicatedCollections}. */
  public static final String COLLECTIONS = "terrace.collections";

  /** The property that holds the classes that keys and values may be of, with commas. */
  public static final String ADMITTED = "terrace.admitted";

  private static final URI DEFAULT_URI = URI.create("terrace:jcache");

  private final Map<ClassLoader, Map<URI, ReplicatedCacheManager>> managers = new WeakHashMap<>();

  /** A provider without managers, for the service loader. */
  public TerraceCachingProvider() {}

  /**
   * The properties of a manager over the application's own collections, which stay its to close.
   * One manager over a replica of the collections.
   *
   * @param admitted classes that keys and values may be of beside those of the JDK: names, {@code
   *     package.*} or {@code package.**}
   */
  public static Properties properties(ReplicatedCollections collections, List<String> admitted) {
    Properties properties = new Properties();
    properties.put(COLLECTIONS, collections);
    properties.setProperty(ADMITTED, String.join(",", admitted));
    return properties;
  }

  @Override
  public synchronized CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader loader, @Nullable Properties properties) {
    URI name = uri == null ? DEFAULT_URI : uri;
    ClassLoader ofClasses = loader == null ? getDefaultClassLoader() : loader;
    Map<URI, ReplicatedCacheManager> ofLoader =
        managers.computeIfAbsent(ofClasses, absent -> new HashMap<>());
    ReplicatedCacheManager present = ofLoader.get(name);
    if (present != null && !present.isClosed()) {
      return present;
    }
    Properties given = properties == null ? new Properties() : properties;
    ReplicatedCacheManager opened =
        new ReplicatedCacheManager(
            this, name, ofClasses, given, ManagerSettings.of(given, ofClasses));
    ofLoader.put(name, opened);
    return opened;
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader loader) {
    return getCacheManager(uri, loader, null);
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  @Override
  public ClassLoader getDefaultClassLoader() {
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    return Objects.requireNonNullElse(ofThread, TerraceCachingProvider.class.getClassLoader());
  }

  @Override
  public URI getDefaultURI() {
    return DEFAULT_URI;
  }

  @Override
  public Properties getDefaultProperties() {
    return new Properties();
  }

  @Override
  public void close() {
    List<ReplicatedCacheManager> all;
    synchronized (this) {
      all = managers.values().stream().flatMap(each -> each.values().stream()).toList();
      managers.clear();
    }
    all.forEach(ReplicatedCacheManager::close);
  }

  @Override
  public void close(@Nullable ClassLoader loader) {
    Map<URI, ReplicatedCacheManager> ofLoader;
    synchronized (this) {
      ofLoader = managers.remove(loader == null ? getDefaultClassLoader() : loader);
    }
    if (ofLoader != null) {
      List.copyOf(ofLoader.values()).forEach(ReplicatedCacheManager::close);
    }
  }

  @Override
  public void close(@Nullable URI uri, @Nullable ClassLoader loader) {
    ReplicatedCacheManager manager;
    synchronized (this) {
      Map<URI, ReplicatedCacheManager> ofLoader =
          managers.get(loader == null ? getDefaultClassLoader() : loader);
      manager = ofLoader == null ? null : ofLoader.remove(uri == null ? DEFAULT_URI : uri);
    }
    if (manager != null) {
      manager.close();
    }
  }

  /** Forgets a manager that is closed. */
  synchronized void closed(ReplicatedCacheManager manager) {
    Map<URI, ReplicatedCacheManager> ofLoader = managers.get(manager.getClassLoader());
    if (ofLoader != null) {
      ofLoader.remove(manager.getURI(), manager);
    }
  }

  @Override
  public boolean isSupported(OptionalFeature feature) {
    return false; // values go by value alone
  }
}
