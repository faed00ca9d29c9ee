package org.terrace.benchmarks.collections.peers;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast over TCP with a fixed list of members: its ReplicatedMap, or its IMap with two
 * synchronous backups of which the nearest may be read. All else by default.
 */
public final class HazelcastMap implements SharedMap {
  private static final String NAME = "objects";

  private final HazelcastInstance hazelcast;
  private final Map<String, String> map;

  /** Opens a member. */
  public HazelcastMap(Place place, boolean replicatedMap) {
    Config config = new Config();
    config.setClusterName("bench-" + place.ports().getFirst());
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getNetworkConfig().setPort(place.port()).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(place.host());
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    for (InetSocketAddress member : place.addresses()) {
      join.getTcpIpConfig().addMember(member.getHostString() + ":" + member.getPort());
    }
    config.getMapConfig(NAME).setBackupCount(2).setAsyncBackupCount(0).setReadBackupData(true);
    this.hazelcast = Hazelcast.newHazelcastInstance(config);
    this.map = replicatedMap ? hazelcast.getReplicatedMap(NAME) : hazelcast.getMap(NAME);
  }

  @Override
  public void put(String key, String value) {
    map.put(key, value);
  }

  @Override
  public void putAll(Map<String, String> entries) {
    map.putAll(entries);
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
    return hazelcast.getCluster().getMembers().size();
  }
}
