package org.terrace.collections.jcache;

import java.lang.System.Logger.Level;
import java.util.Optional;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** A copy of a cache's configuration, and what its factories made. Thread-safe as those are. */
final class CacheSettings<K, V> {
  private static final System.Logger LOG = System.getLogger(CacheSettings.class.getName());

  private final MutableConfiguration<K, V> configuration;
  private final ExpiryPolicy expiry;
  private final @Nullable CacheLoader<K, V> loader;
  private final @Nullable CacheWriter<K, V> writer;

  CacheSettings(Configuration<K, V> given) {
    if (given instanceof CompleteConfiguration<K, V> complete) {
      this.configuration = new MutableConfiguration<>(complete);
    } else {
      this.configuration =
          new MutableConfiguration<K, V>().setTypes(given.getKeyType(), given.getValueType());
    }
    this.expiry =
        Optional.<ExpiryPolicy>ofNullable(configuration.getExpiryPolicyFactory().create())
            .orElseGet(EternalExpiryPolicy::new);
    this.loader =
        configuration.getCacheLoaderFactory() == null
            ? null
            : configuration.getCacheLoaderFactory().create();
    @SuppressWarnings("unchecked")
    CacheWriter<K, V> made =
        configuration.getCacheWriterFactory() == null
            ? null
            : (CacheWriter<K, V>) configuration.getCacheWriterFactory().create();
    this.writer = made;
  }

  MutableConfiguration<K, V> configuration() {
    return configuration;
  }

  ExpiryPolicy expiry() {
    return expiry;
  }

  @Nullable CacheLoader<K, V> loader() {
    return loader;
  }

  /** The loader, if absent entries are read through it. */
  @Nullable CacheLoader<K, V> readThrough() {
    return configuration.isReadThrough() ? loader : null;
  }

  /** The writer, if updates are written through it. */
  @Nullable CacheWriter<K, V> writeThrough() {
    return configuration.isWriteThrough() ? writer : null;
  }

  /** Fails unless the objects are of the configured types. */
  void checkTypes(Object key, Object value) {
    checkType("a key", key, configuration.getKeyType());
    checkType("a value", value, configuration.getValueType());
  }

  private static void checkType(String what, Object object, Class<?> type) {
    if (!type.isInstance(object)) {
      throw new ClassCastException(
          "%s is a %s, and the cache is configured for %s"
              .formatted(what, object.getClass().getName(), type.getName()));
    }
  }

  /** Closes of the user's what can be closed. */
  void close() {
    close(loader);
    close(writer);
    close(expiry);
  }

  /** Closes a part of the user's, if it can be closed. */
  static void close(@Nullable Object part) {
    if (part instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) { // the cache closes all the same
        LOG.log(Level.WARNING, "A part of a cache could not be closed", e);
      }
    }
  }
}
