package org.terrace.hosts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The choice of the host for each server: the host that names it, else one of those that name its
 * tier, in turn, else one of those that name nothing, in turn. Stateless.
 */
final class SshPlacement {
  private SshPlacement() {}

  /**
   * The host of each server, in the order of the servers.
   *
   * @throws TerraceException if a server has no host, or hosts contradict each other
   */
  static Map<PlannedServer, SshHost> of(List<SshHost> hosts, List<PlannedServer> servers) {
    long loopback = hosts.stream().filter(SshHost::isLoopback).count();
    if (loopback > 0 && loopback < hosts.size()) {
      throw bad(
          "some hosts have addresses of 127.0.0.0/8, which others cannot reach; give all of them"
              + " addresses of a network that they share, or none");
    }
    Map<PlannedServer, SshHost> chosen = new LinkedHashMap<>();
    Map<List<SshHost>, Integer> turns = new LinkedHashMap<>();
    for (PlannedServer server : servers) {
      List<SshHost> able = able(hosts, server);
      int turn = turns.merge(able, 1, Integer::sum) - 1;
      chosen.put(server, able.get(turn % able.size()));
    }
    if (loopback == 0) {
      requireOneEach(chosen);
    }
    return chosen;
  }

  private static List<SshHost> able(List<SshHost> hosts, PlannedServer server) {
    for (String word : List.of(server.name(), server.tier())) {
      List<SshHost> named = hosts.stream().filter(host -> host.servers().contains(word)).toList();
      if (!named.isEmpty()) {
        return named;
      }
    }
    List<SshHost> rest = hosts.stream().filter(host -> host.servers().isEmpty()).toList();
    if (rest.isEmpty()) {
      throw bad(
          "no host plays %s; name it, or its tier %s, among the servers of one"
              .formatted(server.name(), server.tier()));
    }
    return rest;
  }

  /** Packets between two servers of one machine pass none of its network cards. */
  private static void requireOneEach(Map<PlannedServer, SshHost> chosen) {
    Map<String, List<String>> byAddress = new LinkedHashMap<>();
    chosen.forEach((server, host) ->
        byAddress.computeIfAbsent(host.address(), a -> new ArrayList<>()).add(server.name()));
    byAddress.forEach((address, names) -> {
      if (names.size() > 1) {
        throw bad(
            "%s would all have the address %s; give each server a host of its own"
                .formatted(names.stream().collect(Collectors.joining(", ")), address));
      }
    });
  }

  /**
   * Checks that hosts which are reached over a network are not the same machine in truth, whatever
   * their addresses.
   *
   * @param users the host of the users
   * @throws TerraceException if two of them share a network, and so have packets that no network
   *     card sees
   */
  static void requireMachinesOfTheirOwn(ServerHost users, List<ServerHost> hosts) {
    List<ServerHost> seen = new ArrayList<>();
    for (ServerHost host : hosts) {
      if (host.facts().isSameNetwork(users.facts())) {
        throw bad(
            "%s is the machine on which the users run, so that no network card sees the packets between them; give its servers another machine"
                .formatted(host.name()));
      }
      for (ServerHost other : seen) {
        if (host.facts().isSameNetwork(other.facts())) {
          throw bad(
              "%s and %s are one machine, so that no network card sees the packets between them; give each server a machine of its own"
                  .formatted(other.name(), host.name()));
        }
      }
      seen.add(host);
    }
  }

  private static TerraceException bad(String why) {
    return new TerraceException(ErrorCode.BAD_INPUT, "hosts: " + why);
  }
}
