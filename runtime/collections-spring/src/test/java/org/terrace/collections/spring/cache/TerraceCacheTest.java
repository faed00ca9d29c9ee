package org.terrace.collections.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.spring.TwoReplicas;

/** The promises of Spring's caches, at two servers with real groups. */
@Tag("real-processes")
@Tag("untimed")
class TerraceCacheTest {
  private static final int THREADS = 20;

  /** A value that an application caches. */
  record Price(String product, int cents) implements Serializable {}

  /** A class that nobody has admitted. */
  record Stranger(String name) implements Serializable {}

  /** A service as an application has it. */
  @EnableCaching(proxyTargetClass = true)
  static class Prices {
    private final AtomicInteger lookups = new AtomicInteger();

    @Cacheable("prices")
    public Price of(String product) {
      lookups.incrementAndGet();
      return new Price(product, 100);
    }

    @Cacheable("prices")
    public int lookups() {
      return lookups.get();
    }
  }

  private TwoReplicas replicas;
  private TerraceCacheManager here;
  private TerraceCacheManager there;

  @BeforeEach
  void open() {
    replicas = new TwoReplicas("spring-caches");
    TerraceCacheOptions defaults =
        TerraceCacheOptions.defaults()
            .withAdmitted(List.of(Price.class.getName()))
            .withEvictionLevel(TwoReplicas.BOTH);
    Map<String, TerraceCacheOptions> options =
        Map.of(
            "brief", defaults.withTimeToLive(Duration.ofMillis(50)),
            "strict", defaults.withNull(false),
            "few", defaults.withEntriesMax(2));
    here = new TerraceCacheManager(replicas.first(), defaults, options);
    there = new TerraceCacheManager(replicas.second(), defaults, options);
  }

  @AfterEach
  void close() {
    replicas.close();
  }

  @Test
  void aValueIsSeenAtTheOtherServerAndAnEvictionAtOnce() {
    Cache cache = here.getCache("prices");
    Cache other = there.getCache("prices");
    cache.put("tea", new Price("tea", 250));
    TwoReplicas.await("the value is there", () -> other.get("tea") != null);
    assertThat(other.get("tea", Price.class)).isEqualTo(new Price("tea", 250));
    assertThatThrownBy(() -> other.get("tea", String.class))
        .isInstanceOf(IllegalStateException.class);

    assertThat(other.evictIfPresent("tea")).isTrue();
    assertThat(cache.get("tea")).isNull();
    assertThat(other.evictIfPresent("tea")).isFalse();
    cache.put(List.of("tea", 1), 2);
    cache.put("milk", 3);
    assertThat(cache.invalidate()).isTrue();
    assertThat(other.get("milk")).isNull();
    assertThat(cache.invalidate()).isFalse();
    other.put("tea", 1);
    there.resetCaches();
    assertThat(other.get("tea")).isNull();
    assertThat(here.getCacheNames()).containsExactly("brief", "few", "prices", "strict");
    assertThat(here.getCache("prices")).isSameAs(cache);
    assertThat(cache.getNativeCache()).isInstanceOf(ReplicatedMap.class);
  }

  @Test
  void nullIsAResultLikeAnyOther() throws Exception {
    Cache cache = here.getCache("prices");
    cache.put("none", null);
    assertThat(cache.get("none").get()).isNull();
    assertThat(cache.get("none", () -> "computed")).isNull();
    assertThat(cache.putIfAbsent("none", 1).get()).isNull();

    Cache strict = here.getCache("strict");
    assertThatThrownBy(() -> strict.put("none", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'strict' keeps no null");
  }

  @Test
  void ofTheThreadsOfAServerOnePutsAndOneComputes() {
    Cache cache = here.getCache("prices");
    AtomicInteger computed = new AtomicInteger();
    AtomicInteger firsts = new AtomicInteger();
    CountDownLatch asking = new CountDownLatch(THREADS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      IntStream.range(0, THREADS)
          .forEach(i ->
              threads.execute(() -> {
                asking.countDown();
                cache.get(
                    "computed",
                    () -> {
                      asking.await(); // the others have asked by now, or are about to
                      return computed.incrementAndGet();
                    });
                if (cache.putIfAbsent("put", i) == null) {
                  firsts.incrementAndGet();
                }
              }));
    }
    assertThat(computed).hasValue(1);
    assertThat(firsts).hasValue(1);
    assertThatThrownBy(() ->
            cache.get(
                "failing",
                () -> {
                  throw new IOException("no");
                }))
        .isInstanceOf(Cache.ValueRetrievalException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(cache.get("failing")).isNull();
  }

  @Test
  void valuesGoWithTimeAndNumber() {
    Cache brief = here.getCache("brief");
    brief.put("tea", 1);
    TwoReplicas.await("the value has gone", () -> brief.get("tea") == null);
    Cache few = here.getCache("few");
    Cache others = there.getCache("few");
    IntStream.range(0, 10).forEach(i -> few.put(i, i));
    TwoReplicas.await(
        "the oldest have gone", () -> ((ReplicatedMap<?, ?>) few.getNativeCache()).size() <= 2);
    TwoReplicas.await(
        "there, too", () -> ((ReplicatedMap<?, ?>) others.getNativeCache()).size() <= 2);
  }

  @Test
  void whatIsNotAdmittedIsRefusedAndWhatCannotBeReadIsAbsent() {
    Cache cache = here.getCache("prices");
    assertThatThrownBy(() -> cache.put("eve", new Stranger("eve")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Stranger.class.getName());
    assertThatThrownBy(() -> cache.get(new Stranger("eve")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a key of the cache 'prices'");

    @SuppressWarnings("unchecked")
    var native1 = (ReplicatedMap<SerializedValue, SerializedValue>) cache.getNativeCache();
    cache.put("odd", 1);
    native1.replaceAll((key, value) -> new SerializedValue(new byte[] {1, 2, 3}));
    assertThat(cache.get("odd")).isNull();
    assertThat(cache.putIfAbsent("odd", 2)).isNull();
    assertThat(cache.get("odd", Integer.class)).isEqualTo(2);
  }

  @Test
  void valuesMayComeLater() {
    Cache cache = here.getCache("prices");
    assertThat(cache.retrieve("tea").join()).isNull();
    assertThat(cache.retrieve("tea", () -> CompletableFuture.completedFuture(5)).join())
        .isEqualTo(5);
    assertThat(cache.retrieve("tea", () -> CompletableFuture.completedFuture(6)).join())
        .isEqualTo(5);
  }

  @Test
  void annotatedMethodsAreCached() {
    try (var context = new AnnotationConfigApplicationContext()) {
      context.registerBean(CacheManager.class, () -> here);
      context.register(Prices.class);
      context.refresh();
      Prices prices = context.getBean(Prices.class);
      assertThat(prices.of("tea")).isEqualTo(prices.of("tea"));
      assertThat(prices.lookups()).isEqualTo(1);
    }
  }
}
