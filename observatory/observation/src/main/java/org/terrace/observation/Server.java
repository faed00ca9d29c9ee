package org.terrace.observation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A server that was observed, or the emulated users as one. Immutable.
 *
 * @param name its name, unique in the observation, for example {@code app1}
 * @param tier its tier: {@code web}, {@code app}, {@code middleware}, {@code database}, or {@value
 *     #CLIENTS}; {@code tier1}, {@code tier2} and so on when it was inferred and no better name
 *     fits
 * @param addresses the addresses it serves at, as {@code host:port}; may be empty
 */
public record Server(String name, String tier, List<String> addresses) {
  /** The name and tier of the emulated users, seen from their own side. */
  public static final String CLIENTS = "clients";

  /** Copies the addresses. */
  public Server {
    addresses = List.copyOf(addresses);
  }

  /** The host of an address {@code host:port}, without the brackets of IPv6. */
  public static String host(String address) {
    String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** The name of the server at each host that has one alone. */
  public static Map<String, String> aloneAtHost(List<Server> servers) {
    Map<String, String> names = new HashMap<>();
    Set<String> shared = new HashSet<>();
    for (Server server : servers) {
      for (String address : server.addresses()) {
        String other = names.putIfAbsent(host(address), server.name());
        if (other != null && !other.equals(server.name())) {
          shared.add(host(address));
        }
      }
    }
    names.keySet().removeAll(shared);
    return names;
  }
}
