package org.terrace.collections.spring.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.spring.TwoReplicas;
import org.terrace.collections.spring.cache.TerraceCacheManager;
import org.terrace.collections.spring.cache.TerraceCacheOptions;
import org.terrace.collections.spring.session.TerraceSessionOptions;
import org.terrace.collections.spring.session.TerraceSessionRepository;
import org.terrace.core.TimeSource;

/** The example of the guide, word for word, without Spring Boot. */
@Tag("real-processes")
@Tag("untimed")
class SpringGuideTest {
  @Test
  void sessionsAndCachesNeedNoSpringBoot() {
    try (TwoReplicas replicas = new TwoReplicas("spring-guide");
        GenericApplicationContext context = new GenericApplicationContext()) {
      context.refresh();
      ReplicatedCollections collections = replicas.first();
      TerraceSessionOptions options = TerraceSessionOptions.defaults();
      try (var sessions =
          new TerraceSessionRepository(
              collections, "sessions", options, TimeSource.system(), context)) {
        var caches = new TerraceCacheManager(collections, TerraceCacheOptions.defaults(), Map.of());
        sessions.save(sessions.createSession());
        assertThat(sessions.sessionCount()).isEqualTo(1);
        caches.getCache("prices").put("tea", 250);
        assertThat(caches.getCache("prices").get("tea", Integer.class)).isEqualTo(250);
      }
    }
  }
}
