package org.terrace.collections.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedMap;

/** Changes of an entry by another member, or by time, between a look at it and its change. */
@Tag("real-processes")
@Tag("untimed")
class LostConditionTest {
  /** Something that happens once, between the look and the change. */
  private static final AtomicReference<Runnable> BETWEEN = new AtomicReference<>(() -> {});

  /** The life after an update; null for what is left of it. */
  private static final AtomicReference<@Nullable Duration> AFTER_UPDATE = new AtomicReference<>();

  private static final AtomicReference<Duration> AFTER_CREATION =
      new AtomicReference<>(Duration.ETERNAL);

  /** The store behind the first member's cache. */
  private static final Map<String, Integer> STORED = new ConcurrentHashMap<>();

  private static volatile boolean writerFails;

  @BeforeEach
  void clear() {
    BETWEEN.set(() -> {});
    AFTER_UPDATE.set(null);
    AFTER_CREATION.set(Duration.ETERNAL);
    STORED.clear();
    writerFails = false;
  }

  private static void comeBetween() {
    BETWEEN.getAndSet(() -> {}).run();
  }

  /** A policy that takes its time. */
  private static final class SlowPolicy implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      Duration life = AFTER_CREATION.get();
      comeBetween();
      return life;
    }

    @Override
    public @Nullable Duration getExpiryForAccess() {
      return null;
    }

    @Override
    public @Nullable Duration getExpiryForUpdate() {
      Duration life = AFTER_UPDATE.get();
      comeBetween();
      return life;
    }
  }

  /** A writer to the store. */
  private static final class Writer implements CacheWriter<String, Integer> {
    private static void check() {
      if (writerFails) {
        throw new CacheWriterException("the store is away");
      }
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      check();
      STORED.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      entries.forEach(this::write);
    }

    @Override
    public void delete(Object key) {
      check();
      STORED.remove(Objects.requireNonNull(key));
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
    }
  }

  private static MutableConfiguration<String, Integer> options() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .setExpiryPolicyFactory(SlowPolicy::new)
        .setWriteThrough(true)
        .setCacheWriterFactory(Writer::new);
  }

  private static Cache<String, Integer> first(TwoMembers members) {
    return members.firstManager().createCache("prices", options());
  }

  /** The other member's, which leaves the store alone, so that it holds what the first wrote. */
  private static Cache<String, Integer> second(TwoMembers members) {
    return members.secondManager().createCache("prices", options().setWriteThrough(false));
  }

  @Test
  void aChangeThatIsLostLeavesTheStoreAsItWas() {
    try (TwoMembers members = new TwoMembers("jcache-lost")) {
      Cache<String, Integer> first = first(members);
      Cache<String, Integer> second = second(members);
      for (String key : List.of("replace", "old", "zero")) {
        first.put(key, 1);
        BETWEEN.set(() -> second.put(key, 10));
        if (key.equals("zero")) {
          AFTER_UPDATE.set(Duration.ZERO);
          BETWEEN.set(() -> {
            AFTER_UPDATE.set(null);
            second.put(key, 10);
          });
        }
        assertThat(key.equals("old") ? first.replace(key, 2) : first.replace(key, 1, 2))
            .as(key)
            .isFalse();
      }
      BETWEEN.set(() -> second.put("absent", 10));
      assertThat(first.putIfAbsent("absent", 2)).isFalse();

      assertThat(STORED).isEqualTo(Map.of("replace", 1, "old", 1, "zero", 1));
      List.of("replace", "old", "zero", "absent")
          .forEach(key -> assertThat(first.get(key)).as(key).isEqualTo(10));
    }
  }

  @Test
  void aProcessorThatLosesWritesNothing() {
    try (TwoMembers members = new TwoMembers("jcache-lost-processor")) {
      Cache<String, Integer> first = first(members);
      Cache<String, Integer> second = second(members);
      first.put("n", 1);
      BETWEEN.set(() -> second.put("n", 10));
      first.<Integer>invoke(
          "n",
          (entry, arguments) -> {
            if (entry.getValue() == 1) {
              entry.setValue(2); // of the other's value it makes none
            }
            return null;
          });

      assertThat(first.get("n")).isEqualTo(10);
      assertThat(STORED).as("of what it made at first nothing").containsEntry("n", 1);
    }
  }

  @Test
  void aStoreThatFailsLeavesTheCacheAsItWas() {
    try (TwoMembers members = new TwoMembers("jcache-failing")) {
      Cache<String, Integer> cache = first(members);
      cache.put("n", 1);
      writerFails = true;
      List<Runnable> calls =
          List.of(
              () -> cache.replace("n", 1, 2),
              () -> cache.replace("n", 2),
              () -> cache.remove("n", 1),
              () -> cache.putIfAbsent("absent", 2),
              () ->
                  cache.<Integer>invoke(
                      "n",
                      (entry, arguments) -> {
                        entry.setValue(3);
                        return null;
                      }));
      for (Runnable call : calls) {
        assertThatThrownBy(call::run).hasStackTraceContaining("the store is away");
        assertThat(cache.get("n")).isEqualTo(1);
        assertThat(cache.containsKey("absent")).isFalse();
      }
    }
  }

  @Test
  void othersMaySeeWhatAFailingStoreTakesBack() {
    try (TwoMembers members = new TwoMembers("jcache-taken-back")) {
      Cache<String, Integer> cache = first(members);
      cache.put("n", 1);
      writerFails = true;
      List<Integer> seen = new ArrayList<>();
      @SuppressWarnings("unchecked")
      ReplicatedMap<String, Integer> map = cache.unwrap(ReplicatedMap.class);
      Runnable end = map.addListener(Runnable::run, change -> change.after().ifPresent(seen::add));

      assertThatThrownBy(() -> cache.replace("n", 1, 2))
          .hasStackTraceContaining("the store is away");
      end.run();

      assertThat(seen).containsExactly(2, 1);
    }
  }

  @Test
  void whatComesBackAfterARemovalThatFailedLivesAsWhatIsCreated() {
    try (TwoMembers members = new TwoMembers("jcache-back")) {
      Cache<String, Integer> cache = first(members);
      cache.put("n", 1); // for ever
      writerFails = true;
      AFTER_CREATION.set(new Duration(TimeUnit.MILLISECONDS, 300));
      List<Integer> seen = new ArrayList<>();
      @SuppressWarnings("unchecked")
      ReplicatedMap<String, Integer> map = cache.unwrap(ReplicatedMap.class);
      Runnable end = map.addListener(Runnable::run, change -> change.after().ifPresent(seen::add));

      assertThatThrownBy(() -> cache.remove("n", 1)).hasStackTraceContaining("the store is away");
      end.run();

      assertThat(seen).as("what came back").containsExactly(1);
      TwoMembers.await("the end of what came back", () -> !cache.containsKey("n"));
    }
  }

  @Test
  void anEntryThatEndsInTheMiddleOfItsUpdateBeginsAnew() {
    try (TwoMembers members = new TwoMembers("jcache-middle")) {
      Cache<String, Integer> cache = first(members);
      AFTER_CREATION.set(new Duration(TimeUnit.MILLISECONDS, 300));
      cache.put("n", 1);
      BETWEEN.set(() -> TwoMembers.await("its end", () -> !cache.containsKey("n")));

      cache.put("n", 2);

      TwoMembers.await("the end of what came anew", () -> !cache.containsKey("n"));
    }
  }

  @Test
  void aValueThatIsOverAtOnceIsNeverThere() {
    try (TwoMembers members = new TwoMembers("jcache-over")) {
      Cache<String, Integer> cache = first(members);
      cache.put("n", 1);
      AFTER_UPDATE.set(Duration.ZERO);
      List<Integer> seen = new ArrayList<>();
      @SuppressWarnings("unchecked")
      ReplicatedMap<String, Integer> map = cache.unwrap(ReplicatedMap.class);
      Runnable end = map.addListener(Runnable::run, change -> change.after().ifPresent(seen::add));

      assertThat(cache.replace("n", 1, 2)).isTrue();
      assertThat(cache.containsKey("n")).isFalse();
      end.run();
      assertThat(seen).isEmpty();
    }
  }
}
