package org.terrace.hosts.network;

/**
 * The network of the target {@code namespaces}: a bridge in the network namespace of this process,
 * with the users' address, and a pair of virtual Ethernet devices to the namespace of each server.
 * The bridge is promiscuous, so that a capture on it sees every packet between two servers, and
 * each once. It goes with the namespaces, which go with their last processes. Confined to one
 * thread.
 */
public final class NamespaceNetwork {
  /** The bridge, which is where packets are captured. */
  public static final String BRIDGE = "terrace0";

  private static final String WHAT = "join network namespaces";
  private static final String PACKAGE = "iproute2";
  private static final int PREFIX_BITS = 16;

  /** Packets as large as those of loopback, so that no datagram comes in fragments. */
  private static final String MTU = "65535";

  private int servers;

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
    String outside = "terrace" + ++servers;
    ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", Long.toString(pid));
    ip("link", "set", outside, "master", BRIDGE, "mtu", MTU, "up");
    SystemCommand.run(
        WHAT,
        "util-linux",
        "nsenter",
        "--net=/proc/" + pid + "/ns/net",
        "--",
        "sh",
        "-c",
        "ip link set lo up && ip address add %s/%d dev eth0 && ip link set eth0 mtu %s up"
            .formatted(address, PREFIX_BITS, MTU));
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
