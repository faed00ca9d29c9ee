package org.terrace.spring.boot.starter;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.context.annotation.Bean;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.spring.cache.TerraceCacheManager;
import org.terrace.collections.spring.cache.TerraceCacheOptions;

/** Caches in replicated maps, where {@code @EnableCaching} is and no other manager of caches. */
@AutoConfiguration(
    after = TerraceAutoConfiguration.class,
    beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@ConditionalOnBooleanProperty(name = "terrace.cache.enabled", matchIfMissing = true)
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean(value = CacheManager.class, name = "cacheResolver")
public final class TerraceCacheAutoConfiguration {
  /** A configuration, for Spring. */
  public TerraceCacheAutoConfiguration() {}

  /** The caches. */
  @Bean
  public TerraceCacheManager cacheManager(
      ReplicatedCollections collections, TerraceProperties properties) {
    TerraceProperties.Cache cache = properties.cache();
    TerraceCacheOptions defaults =
        new TerraceCacheOptions(
            cache.timeToLive(),
            cache.entriesMax(),
            cache.keepsNull(),
            cache.admitted(),
            WriteLevelText.parse("terrace.cache.eviction-level", cache.evictionLevel()));
    Map<String, TerraceCacheOptions> options = new HashMap<>();
    properties
        .caches()
        .forEach((name, override) -> options.put(name, overridden(defaults, override)));
    return new TerraceCacheManager(collections, defaults, options);
  }

  private static TerraceCacheOptions overridden(
      TerraceCacheOptions defaults, TerraceProperties.CacheOverride override) {
    TerraceCacheOptions options = defaults;
    if (override.timeToLive() != null) {
      options = options.withTimeToLive(override.timeToLive());
    }
    if (override.entriesMax() != null) {
      options = options.withEntriesMax(override.entriesMax());
    }
    if (override.keepsNull() != null) {
      options = options.withNull(override.keepsNull());
    }
    return options;
  }
}
