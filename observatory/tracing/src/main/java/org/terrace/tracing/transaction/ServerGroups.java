package org.terrace.tracing.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * Servers by their tiers, so that replicas are looked at together. A server of which no tier is
 * known is a group of its own. Immutable.
 */
final class ServerGroups {
  private static final String NO_TIER = "unknown";

  private final int[] groupOf;
  private final List<String> names = new ArrayList<>();

  /**
   * The groups of the servers that a table numbers.
   *
   * @param numbered their names, by number
   * @param servers those of which the tier is known
   */
  ServerGroups(List<String> numbered, List<Server> servers) {
    Map<String, String> tiers = new HashMap<>();
    servers.forEach(server -> tiers.put(server.name(), server.tier()));
    groupOf = new int[numbered.size()];
    for (int server = 0; server < groupOf.length; server++) {
      String name = numbered.get(server);
      String tier = tiers.getOrDefault(name, NO_TIER);
      String group = tier.equals(NO_TIER) ? name : tier;
      int place = names.indexOf(group);
      if (place < 0) {
        place = names.size();
        names.add(group);
      }
      groupOf[server] = place;
    }
  }

  /** The group of a server, as a place among the names. */
  int of(int server) {
    return groupOf[server];
  }

  /** The number of groups. */
  int size() {
    return names.size();
  }

  String name(int group) {
    return names.get(group);
  }

  /** A number that rows share whose servers are of one group and whose class is the same. */
  long key(RequestTable table, int row) {
    return ((long) groupOf[table.server(row)] << Integer.SIZE) + table.requestClass(row);
  }
}
