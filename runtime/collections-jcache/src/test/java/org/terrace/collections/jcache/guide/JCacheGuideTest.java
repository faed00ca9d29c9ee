package org.terrace.collections.jcache.guide;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.jcache.TerraceCachingProvider;
import org.terrace.collections.jcache.TwoMembers;

/** The examples of the guide, word for word. */
@Tag("real-processes")
@Tag("untimed")
class JCacheGuideTest {
  @Test
  void aCacheIsMadeAndUsed() {
    try (TwoMembers members = new TwoMembers("jcache-guide")) {
      ReplicatedCollections collections = members.first();
      Properties properties =
          TerraceCachingProvider.properties(collections, List.of("com.example.shop.**"));
      CacheManager manager = Caching.getCachingProvider().getCacheManager(null, null, properties);
      Cache<String, Integer> prices =
          manager.createCache(
              "prices",
              new MutableConfiguration<String, Integer>()
                  .setTypes(String.class, Integer.class)
                  .setExpiryPolicyFactory(
                      AccessedExpiryPolicy.factoryOf(new Duration(MINUTES, 30))));
      prices.put("tea", 250);

      assertThat(prices.get("tea")).isEqualTo(250);
      manager.close();
    }
  }
}
