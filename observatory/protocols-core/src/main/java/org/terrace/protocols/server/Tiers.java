package org.terrace.protocols.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.terrace.observation.Server;
import org.terrace.wire.packet.HostAddress;

/**
 * The tiers of servers, inferred from what they speak and from who calls whom: a host that serves
 * also appears as the caller of the servers behind it.
 *
 * <p>What speaks a database's protocol is {@code database}, or {@code middleware} when it calls a
 * database itself; what speaks a cache's is {@code cache}. A service is {@code app} when it calls a
 * database, {@code web} when it calls other services but no database, and {@code app} when it calls
 * no service, unless an {@code app} calls it. Everything else is {@code tier} and its distance from
 * the users. What the user says comes first.
 */
public final class Tiers {
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int NUMBER_WIDTH = 10;
  private static final String WEB = "web";
  private static final String APP = "app";
  private static final String MIDDLEWARE = "middleware";
  private static final String CACHE = "cache";
  private static final String DATABASE = "database";

  private final List<ServerEntry> entries;
  private final Map<HostAddress, List<ServerEntry>> byAddress = new HashMap<>();
  private final Map<ServerEntry, Set<ServerEntry>> callees = new HashMap<>();
  private final Map<ServerEntry, Integer> depths = new HashMap<>();

  private Tiers(List<ServerEntry> entries) {
    this.entries = entries;
    for (ServerEntry entry : entries) {
      byAddress.computeIfAbsent(entry.address(), key -> new ArrayList<>()).add(entry);
    }
    for (ServerEntry entry : entries) {
      for (HostAddress caller : entry.callers()) {
        for (ServerEntry from : byAddress.getOrDefault(caller, List.of())) {
          // On one host with several servers nothing tells which of them calls; none calls itself.
          if (from != entry) {
            callees.computeIfAbsent(from, key -> new HashSet<>()).add(entry);
          }
        }
      }
    }
    findDepths();
  }

  /** The servers with their tiers, in order from the users to the database. */
  public static List<Server> infer(List<ServerEntry> entries) {
    return new Tiers(entries).servers();
  }

  /** The longest way from a server that nobody calls, as far as there is no circle. */
  private void findDepths() {
    entries.forEach(entry -> depths.put(entry, 0));
    for (int round = 0; round < Math.min(entries.size(), 32); round++) {
      boolean changed = false;
      for (ServerEntry entry : entries) {
        int behind = depths.getOrDefault(entry, 0) + 1;
        for (ServerEntry callee : callees.getOrDefault(entry, Set.of())) {
          boolean circle = callees.getOrDefault(callee, Set.of()).contains(entry);
          if (!circle && depths.getOrDefault(callee, 0) < behind && behind <= entries.size()) {
            depths.put(callee, behind);
            changed = true;
          }
        }
      }
      if (!changed) {
        return;
      }
    }
  }

  private List<Server> servers() {
    Map<ServerEntry, String> tiers = new HashMap<>();
    for (ServerEntry entry : entries) {
      tiers.put(entry, tier(entry));
    }
    List<ServerEntry> ordered = new ArrayList<>(entries);
    ordered.sort(
        Comparator.comparingInt((ServerEntry entry) -> rank(tiers.getOrDefault(entry, "")))
            .thenComparingInt(entry -> depths.getOrDefault(entry, 0))
            .thenComparing(entry -> padded(entry.name())));
    Map<String, String> tierOfName = new LinkedHashMap<>();
    Map<String, Set<String>> addresses = new HashMap<>();
    for (ServerEntry entry : ordered) {
      tierOfName.putIfAbsent(entry.name(), tiers.getOrDefault(entry, ""));
      addresses
          .computeIfAbsent(entry.name(), key -> new LinkedHashSet<>())
          .add(entry.address().withPort(entry.port()));
    }
    List<Server> servers = new ArrayList<>();
    tierOfName.forEach((name, tier) ->
        servers.add(new Server(name, tier, List.copyOf(addresses.getOrDefault(name, Set.of())))));
    return servers;
  }

  private String tier(ServerEntry entry) {
    String given = entry.givenTier();
    if (given != null) {
      return given;
    }
    if (entry.role() == ServerRole.DATABASE) {
      return calls(entry, ServerRole.DATABASE) ? MIDDLEWARE : DATABASE;
    }
    if (entry.role() == ServerRole.CACHE) {
      return CACHE;
    }
    if (entry.role() == ServerRole.SERVICE) {
      if (calls(entry, ServerRole.DATABASE)) {
        return APP;
      }
      if (calls(entry, ServerRole.SERVICE)) {
        return WEB;
      }
      if (calls(entry, ServerRole.CACHE) || !calledByApp(entry)) {
        return APP;
      }
    }
    return "tier" + (depths.getOrDefault(entry, 0) + 1);
  }

  private boolean calls(ServerEntry entry, ServerRole role) {
    return callees.getOrDefault(entry, Set.of()).stream().anyMatch(callee -> callee.role() == role);
  }

  private boolean calledByApp(ServerEntry entry) {
    return entry.callers().stream()
        .flatMap(caller -> byAddress.getOrDefault(caller, List.of()).stream())
        .anyMatch(from ->
            from != entry && from.role() == ServerRole.SERVICE && calls(from, ServerRole.DATABASE));
  }

  private static int rank(String tier) {
    return switch (tier) {
      case WEB -> 0;
      case APP -> 1;
      case MIDDLEWARE -> 3;
      case CACHE -> 4;
      case DATABASE -> 5;
      default -> 2;
    };
  }

  /** A name whose numbers have one width, so that {@code app2} comes before {@code app10}. */
  private static String padded(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(number ->
            "0".repeat(Math.max(0, NUMBER_WIDTH - number.group().length())) + number.group());
  }
}
