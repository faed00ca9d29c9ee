package org.terrace.collections.jcache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;

@Tag("real-processes")
@Tag("untimed")
class ReplicatedCacheTest {
  private static final int INCREMENTS = 200;

  private static MutableConfiguration<String, Integer> numbers() {
    return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
  }

  /** A listener's notes, which its factory must be able to serialize. */
  private record Noted(Queue<String> events)
      implements CacheEntryCreatedListener<String, Integer>,
          CacheEntryRemovedListener<String, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> created) {
      created.forEach(event -> events.add("+" + event.getKey() + event.getValue()));
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> removed) {
      removed.forEach(event -> events.add("-" + event.getKey() + event.getOldValue()));
    }
  }

  /** Something that happens while the loader works. */
  private static final AtomicReference<Runnable> LOADING = new AtomicReference<>(() -> {});

  /** Prices as they were before somebody changed them. */
  private static final class OldPrices implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      LOADING.get().run();
      return 1;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      LOADING.get().run();
      Map<String, Integer> all = new HashMap<>();
      keys.forEach(key -> all.put(key, 1));
      return all;
    }
  }

  @Test
  void whatOneMemberPutsTheOtherHasAndHearsOf() {
    try (TwoMembers members = new TwoMembers("jcache-put")) {
      Cache<String, Integer> first = members.firstManager().createCache("prices", numbers());
      Cache<String, Integer> second = members.secondManager().createCache("prices", numbers());
      Queue<String> noted = new ConcurrentLinkedQueue<>();
      second.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> new Noted(noted), null, true, false));

      first.put("tea", 250);
      assertThat(second.get("tea")).as("a put waits for all members").isEqualTo(250);
      first.remove("tea");
      assertThat(second.containsKey("tea")).isFalse();
      TwoMembers.await("both events", () -> noted.size() == 2);
      assertThat(noted).containsExactly("+tea250", "-tea250");
    }
  }

  @Test
  void processorsOfOneMemberComeOneAfterAnother() {
    try (TwoMembers members = new TwoMembers("jcache-invoke")) {
      Cache<String, Integer> cache = members.firstManager().createCache("counts", numbers());
      cache.put("n", 0);
      IntStream.range(0, INCREMENTS)
          .parallel()
          .forEach(i ->
              cache.<Integer>invoke(
                  "n",
                  (entry, arguments) -> {
                    entry.setValue(entry.getValue() + 1);
                    return entry.getValue();
                  }));

      assertThat(cache.get("n")).isEqualTo(INCREMENTS);
    }
  }

  @Test
  void aProcessorWorksAgainIfAnotherMembersValueComesInBetween() {
    try (TwoMembers members = new TwoMembers("jcache-again")) {
      Cache<String, Integer> first = members.firstManager().createCache("counts", numbers());
      Cache<String, Integer> second = members.secondManager().createCache("counts", numbers());
      first.put("n", 1);
      List<Integer> seen = new ArrayList<>();

      first.<Integer>invoke(
          "n",
          (entry, arguments) -> {
            seen.add(entry.getValue());
            if (seen.size() == 1) {
              second.put("n", 10); // as it might come while this works
            }
            entry.setValue(entry.getValue() + 1);
            return null;
          });

      assertThat(seen).containsExactly(1, 10);
      assertThat(second.get("n")).isEqualTo(11);
    }
  }

  @Test
  void whatAnotherMemberPutsDuringALoadStays() {
    try (TwoMembers members = new TwoMembers("jcache-load")) {
      Cache<String, Integer> second = members.secondManager().createCache("prices", numbers());
      LOADING.set(() -> second.put("tea", 260));
      Cache<String, Integer> first =
          members
              .firstManager()
              .createCache(
                  "prices", numbers().setReadThrough(true).setCacheLoaderFactory(OldPrices::new));

      assertThat(first.get("tea")).isEqualTo(260);
      assertThat(second.get("tea")).isEqualTo(260);
      LOADING.set(() -> second.put("cup", 90));
      CompletionListenerFuture loaded = new CompletionListenerFuture();
      first.loadAll(Set.of("cup"), false, loaded);
      TwoMembers.await("the load", loaded::isDone);
      assertThat(second.get("cup")).isEqualTo(90);
    }
  }

  @Test
  void aProcessorMayChangeAValueInPlace() {
    try (TwoMembers members = new TwoMembers("jcache-in-place")) {
      @SuppressWarnings("unchecked")
      Cache<String, ArrayList<String>> cache =
          members
              .firstManager()
              .createCache(
                  "carts",
                  new MutableConfiguration<String, ArrayList<String>>()
                      .setTypes(
                          String.class, (Class<ArrayList<String>>) (Class<?>) ArrayList.class));
      cache.put("ann", new ArrayList<>(List.of("tea")));

      cache.<Integer>invoke(
          "ann",
          (entry, arguments) -> {
            ArrayList<String> cart = entry.getValue();
            cart.add("cup");
            entry.setValue(cart);
            return cart.size();
          });

      assertThat(cache.get("ann")).containsExactly("tea", "cup");
    }
  }

  @Test
  void accessesAtOneMemberProlongALifeAtTheOther() {
    try (TwoMembers members = new TwoMembers("jcache-access")) {
      MutableConfiguration<String, Integer> options =
          numbers()
              .setExpiryPolicyFactory(AccessedExpiryPolicy.factoryOf(new Duration(SECONDS, 6)));
      Cache<String, Integer> first = members.firstManager().createCache("sessions", options);
      Cache<String, Integer> second = members.secondManager().createCache("sessions", options);
      first.put("idle", 1);
      first.put("used", 2);

      TwoMembers.await(
          "the end of the other",
          () -> {
            assertThat(first.get("used")).isEqualTo(2);
            return !second.containsKey("idle");
          });
      assertThat(second.containsKey("used")).isTrue();
      TwoMembers.await("its end", () -> !second.containsKey("used"));
      TwoMembers.await("its end at the other", () -> !first.containsKey("used"));
    }
  }

  @Test
  void aCacheIsDestroyedAtAllMembers() {
    try (TwoMembers members = new TwoMembers("jcache-destroy")) {
      Cache<String, Integer> first = members.firstManager().createCache("prices", numbers());
      Cache<String, Integer> second = members.secondManager().createCache("prices", numbers());
      first.put("tea", 1);
      members.firstManager().destroyCache("prices");

      assertThatThrownBy(() -> second.get("tea")).hasMessageContaining("was destroyed");
      Cache<String, Integer> anew = members.firstManager().createCache("prices", numbers());
      assertThat(anew.containsKey("tea")).isFalse();
    }
  }

  @Test
  void aCacheCanBeClosedAndTakenUpAgain() {
    try (TwoMembers members = new TwoMembers("jcache-close")) {
      CacheManager manager = members.firstManager();
      Cache<String, Integer> cache = manager.createCache("prices", numbers());
      cache.put("tea", 1);
      cache.close();

      assertThatThrownBy(() -> cache.get("tea")).isInstanceOf(IllegalStateException.class);
      Cache<String, Integer> again = manager.createCache("prices", numbers());
      assertThat(again.get("tea")).isEqualTo(1);
      assertThat(manager.unwrap(ReplicatedCollections.class)).isSameAs(members.first());
      assertThat((Object) again.unwrap(ReplicatedMap.class)).isInstanceOf(ReplicatedMap.class);
    }
  }

  private static final class Unknown implements java.io.Serializable {
    private static final long serialVersionUID = 1;
  }

  @Test
  void whatIsNotAdmittedIsRefused() {
    try (TwoMembers members = new TwoMembers("jcache-admitted")) {
      Cache<String, Object> cache =
          members
              .firstManager()
              .createCache(
                  "any",
                  new MutableConfiguration<String, Object>().setTypes(String.class, Object.class));

      assertThatThrownBy(() -> cache.put("k", new Unknown()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Unknown.class.getName())
          .hasMessageContaining("not among the admitted classes");
      assertThat(cache.containsKey("k")).isFalse();
    }
  }

  @Test
  void wrongSettingsSayWhatIsExpected() {
    assertWrong("terrace.port", "http", "expected a number from 0 to 65535");
    assertWrong("terrace.level", "some", "expected LOCAL, ALL or replicas(2)");
    assertWrong("terrace.contacts", "a b", "expected host:port or host");
  }

  private static void assertWrong(String name, String value, String message) {
    Properties properties = new Properties();
    properties.setProperty(name, value);
    try (TerraceCachingProvider provider = new TerraceCachingProvider()) {
      assertThatThrownBy(() -> provider.getCacheManager(null, null, properties))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining(name + " is '" + value + "'")
          .hasMessageContaining(message);
    }
  }
}
