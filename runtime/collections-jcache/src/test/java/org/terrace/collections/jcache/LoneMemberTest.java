package org.terrace.collections.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;

/** One member of two, told that there are to be two, which is left alone. */
@Tag("real-processes")
@Tag("untimed")
class LoneMemberTest {
  private static Group open(String member, InetSocketAddress... contacts) {
    return Groups.open(
        GroupOptions.of("lone-member", member, Discovery.of(List.of(contacts)))
            .withAddress(InetAddress.ofLiteral("127.67.2.3"), 0)
            .withExpectedMembers(2));
  }

  private static Map<String, Consumer<Cache<String, String>>> removals() {
    Map<String, Consumer<Cache<String, String>>> all = new LinkedHashMap<>();
    all.put("remove", cache -> cache.remove("k"));
    all.put("removeValue", cache -> cache.remove("k", "v"));
    all.put("getAndRemove", cache -> cache.getAndRemove("k"));
    all.put("removeSome", cache -> cache.removeAll(Set.of("k", "l")));
    all.put("removeAll", Cache::removeAll);
    all.put("clear", Cache::clear);
    return all;
  }

  @Test
  void aRemovalThatIsRepeatedIsNotConfirmedEither() {
    try (Group group = open("app1");
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
        TerraceCachingProvider provider = new TerraceCachingProvider()) {
      Properties properties = TerraceCachingProvider.properties(collections, List.of());
      properties.setProperty("terrace.level", "replicas(2)");
      var manager = provider.getCacheManager(URI.create("lone"), null, properties);
      var configuration =
          new MutableConfiguration<String, String>()
              .setTypes(String.class, String.class)
              .setStatisticsEnabled(true);
      try (Group otherGroup = open("app2", group.self().address());
          var _ = ReplicatedCollections.open(otherGroup, CollectionsOptions.defaults())) {
        TwoMembers.await("both", () -> group.view().members().size() == 2);
        removals()
            .keySet()
            .forEach(name -> {
              var cache = manager.createCache(name, configuration);
              cache.put("k", "v");
              cache.put("l", "v");
            });
      }
      TwoMembers.await("it is alone", () -> group.view().members().size() == 1);
      removals()
          .forEach((name, removal) -> {
            Cache<String, String> cache = manager.getCache(name, String.class, String.class);
            for (int i = 0; i < 3; i++) {
              assertThatThrownBy(() -> removal.accept(cache))
                  .as(name + " " + i)
                  .isInstanceOf(UnacknowledgedWriteException.class);
            }
            assertThat(cache.containsKey("k")).as(name).isFalse();
          });
      assertThat(manager.getCache("removeSome", String.class, String.class).containsKey("l"))
          .isFalse();
    }
  }
}
