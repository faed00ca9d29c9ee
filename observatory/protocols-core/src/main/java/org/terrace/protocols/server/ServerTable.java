package org.terrace.protocols.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Server;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.packet.HostAddress;

/**
 * The servers by their endpoints, with their names: given by the user, else by the capture file,
 * else {@code host:port}. A name is settled when the server is first seen. Beyond {@value
 * #SERVERS_MAX} servers all new ones are one, {@code other}. Confined to one thread.
 */
public final class ServerTable {
  /** Servers told apart at most. */
  static final int SERVERS_MAX = 4096;

  private static final String OTHER = "other";

  private final HostNames hostNames;
  private final Map<String, Server> given = new HashMap<>();
  private final Map<Endpoint, ServerEntry> entries = new LinkedHashMap<>();
  private final Map<HostAddress, List<ServerEntry>> byAddress = new HashMap<>();
  private final Map<HostAddress, String> clientNames = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private @Nullable ServerEntry other;

  /** A table that takes names from the user and from capture files. */
  public ServerTable(List<Server> givenServers, HostNames hostNames) {
    this.hostNames = hostNames;
    for (Server server : givenServers) {
      for (String address : server.addresses()) {
        given.put(address, server);
      }
    }
  }

  /** The server at an endpoint, or null when none was seen there yet. */
  public @Nullable ServerEntry find(HostAddress address, int port) {
    return entries.get(new Endpoint(address, port));
  }

  /** Whether the user says that a server is at this very endpoint. */
  public boolean isGiven(HostAddress address, int port) {
    return given.containsKey(address.withPort(port));
  }

  /** The server at an endpoint, made when none was seen there yet. */
  public ServerEntry at(HostAddress address, int port) {
    Endpoint endpoint = new Endpoint(address, port);
    ServerEntry known = entries.get(endpoint);
    if (known != null) {
      return known;
    }
    if (entries.size() >= SERVERS_MAX) {
      if (other == null) {
        other = new ServerEntry(address, port, OTHER, null);
      }
      return other;
    }
    ServerEntry made = make(address, port);
    entries.put(endpoint, made);
    byAddress.computeIfAbsent(address, key -> new ArrayList<>()).add(made);
    return made;
  }

  private ServerEntry make(HostAddress address, int port) {
    Server byUser = given.get(address.withPort(port));
    if (byUser == null) {
      byUser = given.get(address.toString());
    }
    if (byUser != null) {
      // One server may serve at several endpoints: they share its name.
      names.add(byUser.name());
      return new ServerEntry(address, port, byUser.name(), byUser.tier());
    }
    String host = hostNames.of(address);
    if (host == null) {
      return new ServerEntry(address, port, address.withPort(port), null);
    }
    String name = names.add(host) ? host : host + ":" + port;
    names.add(name);
    return new ServerEntry(address, port, name, null);
  }

  /** The name of the server at an endpoint, which is not made when none was seen there. */
  public String nameAt(HostAddress address, int port) {
    ServerEntry known = find(address, port);
    if (known != null) {
      return known.name();
    }
    Server byUser = given.get(address.withPort(port));
    if (byUser == null) {
      byUser = given.get(address.toString());
    }
    return byUser == null ? address.withPort(port) : byUser.name();
  }

  /**
   * The name of a caller: the one the user or the file gives its host, else that of the only server
   * there, else its address.
   */
  public String clientName(HostAddress address) {
    String known = clientNames.get(address);
    if (known != null) {
      return known;
    }
    Server byUser = given.get(address.toString());
    String host = hostNames.of(address);
    List<ServerEntry> servers = byAddress.getOrDefault(address, List.of());
    String name = address.toString();
    if (byUser != null) {
      name = byUser.name();
    } else if (servers.size() == 1) {
      name = servers.getFirst().name();
    } else if (host != null) {
      name = host;
    }
    boolean settled = byUser != null || host != null;
    if (settled && clientNames.size() < SERVERS_MAX) {
      clientNames.put(address, name);
    }
    return name;
  }

  /** The servers that had requests, in the order in which they were first seen. */
  public List<ServerEntry> withRequests() {
    List<ServerEntry> result = new ArrayList<>();
    for (ServerEntry entry : entries.values()) {
      if (entry.requests() > 0) {
        result.add(entry);
      }
    }
    if (other != null && other.requests() > 0) {
      result.add(other);
    }
    return result;
  }

  private record Endpoint(HostAddress address, int port) {}
}
