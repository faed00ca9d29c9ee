package org.terrace.benchmarks.collections.peers;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.ddata.DistributedData;
import org.apache.pekko.cluster.ddata.Key;
import org.apache.pekko.cluster.ddata.LWWMap;
import org.apache.pekko.cluster.ddata.LWWMapKey;
import org.apache.pekko.cluster.ddata.Replicator;
import org.apache.pekko.cluster.ddata.SelfUniqueAddress;
import org.apache.pekko.pattern.Patterns;
import org.jspecify.annotations.Nullable;

/**
 * Pekko Distributed Data: last-writer-wins maps, {@value #MAPS} of them as its manual advises for
 * many entries. Frames may be 8 MB, since the default of 256 KB loses this workload's deltas.
 */
public final class PekkoMap implements SharedMap {
  private static final int MAPS = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ActorSystem system;
  private final ActorRef replicator;
  private final SelfUniqueAddress self;
  private final Replicator.WriteConsistency writes;
  private final List<Key<LWWMap<String, String>>> keys = new ArrayList<>();

  /** Joins the cluster. */
  public PekkoMap(Place place, boolean toAll) {
    List<String> seeds = new ArrayList<>();
    for (InetSocketAddress seed : place.addresses()) {
      seeds.add("pekko://bench@" + seed.getHostString() + ":" + seed.getPort());
    }
    Config config =
        ConfigFactory.parseMap(
                Map.of(
                    "pekko.actor.provider", "cluster",
                    "pekko.loglevel", "WARNING",
                    "pekko.remote.artery.canonical.hostname", place.host(),
                    "pekko.remote.artery.canonical.port", place.port(),
                    "pekko.remote.artery.advanced.maximum-frame-size", "8 MiB",
                    "pekko.remote.artery.advanced.maximum-large-frame-size", "8 MiB",
                    "pekko.cluster.jmx.enabled", "off",
                    "pekko.cluster.seed-nodes", seeds))
            .withFallback(ConfigFactory.load());
    this.system = ActorSystem.create("bench", config);
    this.replicator = DistributedData.get(system).replicator();
    this.self = DistributedData.get(system).selfUniqueAddress();
    this.writes = toAll ? new Replicator.WriteAll(TIMEOUT) : Replicator.writeLocal();
    for (int i = 0; i < MAPS; i++) {
      keys.add(LWWMapKey.create("objects-" + i));
    }
  }

  private Key<LWWMap<String, String>> keyOf(String key) {
    return keys.get(Math.floorMod(key.hashCode(), MAPS));
  }

  private Object ask(Object question) throws Exception {
    return Patterns.ask(replicator, question, TIMEOUT)
        .toCompletableFuture()
        .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  private void update(
      Key<LWWMap<String, String>> map,
      java.util.function.Function<LWWMap<String, String>, LWWMap<String, String>> change)
      throws Exception {
    Object answer = ask(new Replicator.Update<>(map, LWWMap.create(), writes, change));
    if (!(answer instanceof Replicator.UpdateSuccess)) {
      throw new IllegalStateException("an update failed: " + answer);
    }
  }

  @Override
  public void put(String key, String value) throws Exception {
    update(keyOf(key), map -> map.put(self, key, value));
  }

  /** One update a map: each costs as much as the whole map is long. */
  @Override
  public void putAll(Map<String, String> entries) throws Exception {
    Map<Key<LWWMap<String, String>>, Map<String, String>> parts = new HashMap<>();
    entries.forEach((key, value) ->
        parts.computeIfAbsent(keyOf(key), absent -> new HashMap<>()).put(key, value));
    for (var part : parts.entrySet()) {
      update(
          part.getKey(),
          map -> {
            LWWMap<String, String> changed = map;
            for (var entry : part.getValue().entrySet()) {
              changed = changed.put(self, entry.getKey(), entry.getValue());
            }
            return changed;
          });
    }
  }

  @Override
  public @Nullable String get(String key) throws Exception {
    Key<LWWMap<String, String>> map = keyOf(key);
    Object answer = ask(new Replicator.Get<>(map, Replicator.readLocal()));
    if (!(answer instanceof Replicator.GetSuccess<?> found)) {
      return null;
    }
    return ((LWWMap<?, ?>) found.dataValue()).getEntries().get(key) instanceof String text
        ? text
        : null;
  }

  @Override
  public void remove(String key) throws Exception {
    update(keyOf(key), map -> map.remove(self, key));
  }

  @Override
  public int members() {
    var state = Cluster.get(system).state();
    int up = 0;
    for (var member : state.getMembers()) {
      boolean seen = !state.getUnreachable().contains(member);
      up += seen && member.status().equals(MemberStatus.up()) ? 1 : 0;
    }
    return up;
  }
}
