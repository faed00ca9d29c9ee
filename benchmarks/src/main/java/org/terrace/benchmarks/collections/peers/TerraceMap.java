package org.terrace.benchmarks.collections.peers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;

/** Terrace's {@link ReplicatedMap} over the built-in group with multicast; options by default. */
public final class TerraceMap implements SharedMap {
  private final Group group;
  private final ReplicatedCollections collections;
  private final ReplicatedMap<String, String> map;

  /** Opens the replica of a server. */
  public TerraceMap(Place place, WriteLevel level) {
    InetSocketAddress multicast = new InetSocketAddress(Place.MULTICAST, place.multicastPort());
    this.group =
        Groups.open(
            GroupOptions.of("bench", "server" + place.index(), Discovery.of(place.addresses()))
                .withAddress(InetAddress.ofLiteral(place.host()), place.port())
                .withMulticast(multicast));
    this.collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
    this.map =
        collections.map(
            "objects", MapOptions.of(Codecs.string(), Codecs.string()).withLevel(level));
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
