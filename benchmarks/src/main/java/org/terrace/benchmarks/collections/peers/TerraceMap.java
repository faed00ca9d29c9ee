package org.terrace.benchmarks.collections.peers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SetOptions;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.Groups;

/** Terrace's {@link ReplicatedMap} over the built-in group with multicast; options by default. */
public final class TerraceMap implements SharedMap {
  private final Group group;
  private final ReplicatedCollections collections;
  private final ReplicatedMap<String, String> map;
  private final List<String> list;

  /** Opens the replica of a server. */
  public TerraceMap(Place place, WriteLevel level) {
    this(place, level, Optional.empty());
  }

  private TerraceMap(Place place, WriteLevel level, Optional<GroupKeys> keys) {
    InetSocketAddress multicast = new InetSocketAddress(Place.MULTICAST, place.multicastPort());
    GroupOptions options =
        GroupOptions.of("bench", "server" + place.index(), Discovery.of(place.addresses()))
            .withAddress(InetAddress.ofLiteral(place.host()), place.port())
            .withMulticast(multicast);
    this.group = Groups.open(keys.map(options::withKeys).orElse(options));
    this.collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
    this.map =
        collections.map(
            "objects", MapOptions.of(Codecs.string(), Codecs.string()).withLevel(level));
    this.list = collections.list("list", SetOptions.of(Codecs.string()).withLevel(level));
  }

  /** Opens the replica of a server that encrypts all it sends. */
  public static TerraceMap encrypted(Place place, WriteLevel level) {
    Secret secret = new Secret("the benchmark keeps no secrets".getBytes(StandardCharsets.UTF_8));
    return new TerraceMap(place, level, Optional.of(GroupKeys.encrypting(secret)));
  }

  @Override
  public void put(String key, String value) {
    map.put(key, value);
  }

  @Override
  public @Nullable String get(String key) {
    return map.get(key);
  }

  @Override
  public void remove(String key) {
    map.remove(key);
  }

  @Override
  public int members() {
    return group.view().members().size();
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public List<String> list() {
    return list;
  }

  @Override
  public void awaitAll() {
    map.withLevel(WriteLevel.ALL).put("await", "");
  }

  @Override
  public Map<String, Double> figures() {
    CollectionsMetrics metrics = collections.metrics();
    return Map.of(
        "entries", (double) metrics.entries(),
        "writers", (double) metrics.writers(),
        "gaps", (double) metrics.gaps(),
        "superseded-ahead", (double) metrics.supersededAhead(),
        "log-bytes", (double) metrics.logBytes(),
        "updates-resent", (double) metrics.updatesResent());
  }
}
