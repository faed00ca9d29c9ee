package org.terrace.benchmarks.collections.peers;

import java.util.List;
import java.util.Map;
import org.jgroups.JChannel;
import org.jgroups.blocks.ReplicatedHashMap;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UDP;
import org.jspecify.annotations.Nullable;

/** JGroups' ReplicatedHashMap with blocking updates, over its stock stacks for TCP and for UDP. */
public final class JGroupsMap implements SharedMap {
  private static final long STATE_MILLIS = 20_000;

  private final JChannel channel;
  private final ReplicatedHashMap<String, String> map;

  /** Joins the cluster. */
  public JGroupsMap(Place place, boolean overUdp) throws Exception {
    System.setProperty("jgroups.bind_addr", place.host());
    System.setProperty("jgroups.udp.mcast_addr", Place.MULTICAST);
    System.setProperty("jgroups.udp.mcast_port", Integer.toString(place.multicastPort()));
    this.channel = new JChannel(overUdp ? "udp.xml" : "tcp.xml");
    TP transport = channel.getProtocolStack().getTransport();
    transport.getDiagnosticsHandler().setEnabled(false);
    if (!(transport instanceof UDP)) {
      transport.setBindPort(place.port());
      TCPPING discovery = channel.getProtocolStack().findProtocol(TCPPING.class);
      discovery.setInitialHosts(List.copyOf(place.addresses()));
    }
    this.map = new ReplicatedHashMap<>(channel);
    map.setBlockingUpdates(true);
    channel.connect("bench");
    map.start(STATE_MILLIS);
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
    return channel.getView().size();
  }
}
