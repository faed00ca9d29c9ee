package org.terrace.benchmarks.collections.peers;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses and ports of one server of a subject and of its companions.
 *
 * @param index its number, from 0
 * @param hosts the address of each server
 * @param ports the port at which each server listens for the others
 * @param frontEndPorts the port of each server's front end
 * @param multicastPort the port of the subject's multicast
 * @param backing where the subject's database is, if it has one
 */
public record Place(
    int index,
    List<String> hosts,
    List<Integer> ports,
    List<Integer> frontEndPorts,
    int multicastPort,
    String backing) {
  /** Number of servers of a subject. */
  public static final int SERVERS = 3;

  /** The multicast address of all subjects, within this machine. */
  public static final String MULTICAST = "239.27.0.1";

  /** Copies the lists. */
  public Place {
    hosts = List.copyOf(hosts);
    ports = List.copyOf(ports);
    frontEndPorts = List.copyOf(frontEndPorts);
  }

  /** The address of this server. */
  public String host() {
    return hosts.get(index);
  }

  /** The port of this server. */
  public int port() {
    return ports.get(index);
  }

  /** The addresses of all servers. */
  public List<InetSocketAddress> addresses() {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      addresses.add(new InetSocketAddress(hosts.get(i), ports.get(i)));
    }
    return addresses;
  }
}
