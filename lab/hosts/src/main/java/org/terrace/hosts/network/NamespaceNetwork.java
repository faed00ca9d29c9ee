package org.terrace.hosts.network;

import java.util.HashMap;
import java.util.Map;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.machine.LimitUse;
import org.terrace.nodes.setting.NetworkLimit;

/**
 * The network of the target {@code namespaces}: a bridge in the network namespace of this process,
 * with the users' address, and a pair of virtual Ethernet devices to the namespace of each server.
 * The bridge is promiscuous, so that a capture on it sees every packet between two servers, and
 * each once. What a killed process leaves goes with the namespaces, which go with their last
 * processes. Confined to one thread at a time.
 */
public final class NamespaceNetwork implements AutoCloseable {
  /** The bridge, which is where packets are captured. */
  public static final String BRIDGE = "terrace0";

  private static final String WHAT = "join network namespaces";
  private static final String PACKAGE = "iproute2";
  private static final int PREFIX_BITS = 16;

  /** Packets as large as those of loopback, so that no datagram comes in fragments. */
  private static final String MTU = "65535";

  /** The device of each server's namespace that leads to the bridge. */
  static final String DEVICE = "eth0";

  /** The places of the servers that have joined, by address. */
  private final Map<String, Place> places = new HashMap<>();

  /**
   * A server's place in the network.
   *
   * @param outside the device that leads to it from the bridge
   * @param pid a process of its namespace
   */
  private record Place(String outside, long pid) {}

  /**
   * Makes the bridge.
   *
   * @param address the address of the users
   */
  public NamespaceNetwork(String address) {
    ip("link", "add", BRIDGE, "type", "bridge", "forward_delay", "0", "mcast_snooping", "0");
    ip("address", "add", address + "/" + PREFIX_BITS, "dev", BRIDGE);
    ip("link", "set", BRIDGE, "mtu", MTU, "up", "promisc", "on");
  }

  /** The use of its limit by the server in whose namespace this process is. */
  public static LimitUse use(NetworkLimit limit, TimeSource time) {
    return new LimitUse(limit.bytesPerSecond(), () -> DeviceTraffic.of(DEVICE).passed(), time);
  }

  private static void ip(String... words) {
    String[] command = new String[words.length + 1];
    command[0] = "ip";
    System.arraycopy(words, 0, command, 1, words.length);
    SystemCommand.run(WHAT, PACKAGE, command);
  }

  /**
   * Joins the namespace of a process.
   *
   * @param address the address it gets there
   */
  public void join(long pid, String address) {
    Place place = new Place("terrace" + (places.size() + 1), pid);
    String outside = place.outside();
    ip("link", "add", outside, "type", "veth", "peer", "name", DEVICE, "netns", Long.toString(pid));
    ip("link", "set", outside, "master", BRIDGE, "mtu", MTU, "up");
    inside(
        place,
        WHAT,
        "ip link set lo up && ip address add %s/%d dev %s && ip link set %3$s mtu %s up"
            .formatted(address, PREFIX_BITS, DEVICE, MTU));
    places.put(address, place);
  }

  private static void inside(Place place, String what, String script) {
    SystemCommand.run(
        what,
        "util-linux",
        "nsenter",
        "--net=/proc/" + place.pid() + "/ns/net",
        "--",
        "sh",
        "-c",
        script);
  }

  /**
   * Limits what comes to a server and what goes from it, and proves the former; the latter is
   * proved in its namespace.
   *
   * @throws TerraceException if the kernel refuses, or does not hold it back
   */
  public void limit(NetworkLimit limit, TimeSource time) {
    Place place = places.get(limit.address());
    if (place == null) {
      throw NetworkProof.refusal(limit, "it has no network of its own");
    }
    String what = "limit the network of " + limit.address();
    NetworkQueue queue = new NetworkQueue(limit.bytesPerSecond());
    inside(place, what, queue.command(DEVICE));
    SystemCommand.run(what, PACKAGE, queue.command(place.outside()).split(" ", -1));
    new NetworkProof(place.outside(), limit).run(limit.address(), time);
  }

  /** Removes the devices, of which the kernel may have removed some with the namespaces. */
  @Override
  public void close() {
    for (Place place : places.values()) {
      remove(place.outside());
    }
    places.clear();
    remove(BRIDGE);
  }

  private static void remove(String device) {
    try {
      ip("link", "delete", device);
    } catch (TerraceException e) {
      assert e != null; // who makes one of the same name will be told
    }
  }

  /** The address of the experiment's network that a loopback address becomes. */
  public static String address(String loopback) {
    return loopback.replaceFirst("^127\\.", "10.");
  }

  /** The network of all addresses of an experiment, given its first two octets. */
  public static String network(String octets) {
    return address(octets) + ".0.0/" + PREFIX_BITS;
  }
}
