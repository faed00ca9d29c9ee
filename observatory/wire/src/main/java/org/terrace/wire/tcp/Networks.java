package org.terrace.wire.tcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.packet.PacketParser;

/**
 * The networks that tunnels carry, each of which may have hosts of the same addresses. Two numbers
 * are one network when a connection shows in both; a mirror's number is none on its way alone
 * (docs/decisions/0515). Confined to one thread.
 */
final class Networks {
  /** Numbers joined with others at most. */
  static final int JOINED_MAX = 4096;

  /** Addresses whose networks are remembered at most. */
  static final int ADDRESSES_MAX = 1 << 16;

  /** Networks told apart at most that have one address. */
  static final int NETWORKS_OF_ADDRESS_MAX = 64;

  /** Mirrors that are known at most; a power of two, half of which stays free. */
  static final int MIRRORS_MAX = 1 << 12;

  private static final int NONE = 0;

  private final Map<Integer, Integer> joined = new HashMap<>();
  private final Map<HostAddress, List<Network>> ofAddress = new HashMap<>();

  /** The routes of mirrors, by linear probing; zero where there is none. */
  private final int[] mirrors = new int[2 * MIRRORS_MAX];

  private int mirrorCount;

  private record Network(int number, HostAddress host) {}

  /** Whether a route is known to be a mirror's. */
  boolean isMirror(int route) {
    return mirrorCount > 0 && mirrors[slotOf(route)] == route;
  }

  /** Notes that a route is a mirror's, if there is room for one more. */
  void mirrors(int route) {
    int slot = slotOf(route);
    if (mirrors[slot] == 0 && mirrorCount < MIRRORS_MAX) {
      mirrors[slot] = route;
      mirrorCount++;
    }
  }

  /** Says that a mirror's session shows a network, if the network has a number of its own. */
  void isWithin(int session, int network) {
    if (network != NONE) {
      join(session, network);
    }
  }

  private int slotOf(int route) {
    int mask = mirrors.length - 1;
    int at = route & mask;
    while (mirrors[at] != 0 && mirrors[at] != route) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Whether two numbers are of one network. */
  boolean isSame(int one, int other) {
    return one == other || (!joined.isEmpty() && resolve(one) == resolve(other));
  }

  /** The first of the numbers of a network; zero for none. */
  int resolve(int number) {
    int at = number;
    for (Integer to = joined.get(at); to != null; to = joined.get(at)) {
      at = to;
    }
    if (at != number) {
      joined.put(number, at);
    }
    return at;
  }

  /** Says that two numbers, none of which is zero, are of one network. */
  void join(int one, int other) {
    int first = resolve(one);
    int second = resolve(other);
    if (first == second || joined.size() >= JOINED_MAX) {
      return;
    }
    joined.put(first, second);
  }

  /**
   * The host of an address in the network of a number. The first network that has an address has it
   * without a name, and so has what comes in no network.
   *
   * @param packet a packet of that network, which tells its name
   */
  HostAddress host(long high, long low, int number, PacketParser packet) {
    HostAddress bare = new HostAddress(high, low);
    int network = resolve(number);
    if (network == NONE) {
      return bare;
    }
    List<Network> networks = ofAddress.get(bare);
    if (networks == null) {
      if (ofAddress.size() < ADDRESSES_MAX) {
        networks = new ArrayList<>(1);
        networks.add(new Network(number, bare));
        ofAddress.put(bare, networks);
      }
      return bare;
    }
    for (Network each : networks) {
      if (resolve(each.number) == network) {
        return each.host;
      }
    }
    if (networks.size() >= NETWORKS_OF_ADDRESS_MAX) {
      return bare;
    }
    HostAddress host = new HostAddress(high, low, packet.networkName());
    networks.add(new Network(number, host));
    return host;
  }
}
