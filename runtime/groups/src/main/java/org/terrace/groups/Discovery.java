package org.terrace.groups;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The look-up of addresses at which other members may be found. Implementations are thread-safe; a
 * look-up may block.
 */
@FunctionalInterface
public interface Discovery {
  /**
   * Addresses at which members may listen, dead ones and one's own allowed; empty if unknown now. A
   * name among them is looked up by the group each time.
   */
  List<InetSocketAddress> find();

  /** A discovery of these addresses; a name may have none yet, and other ones later. */
  static Discovery of(List<InetSocketAddress> addresses) {
    List<InetSocketAddress> fixed = List.copyOf(addresses);
    return () -> fixed;
  }

  /**
   * A discovery of no address: for a group that finds its members by multicast, or a first member.
   */
  static Discovery none() {
    return List::of;
  }

  /** All addresses of a host name, such as a headless service of a container platform. */
  static Discovery dns(String host, int port) {
    return of(List.of(InetSocketAddress.createUnresolved(host, port)));
  }
}
