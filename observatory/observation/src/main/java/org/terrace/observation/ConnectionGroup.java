package org.terrace.observation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The connections of one caller with one server that speak the same, counted together. Immutable.
 *
 * @param caller the name of the server that calls, or {@link Server#CLIENTS} for whoever is none
 * @param server the name of the server that is called
 * @param protocol what they speak
 * @param evidence what tells so, the kinds of evidence after one another
 * @param connections how many there are
 * @param reset how many of them were reset or refused
 * @param requests how many requests were found on them
 * @param bytesIn bytes of payload from the caller
 * @param bytesOut bytes of payload from the server
 */
public record ConnectionGroup(
    String caller,
    String server,
    String protocol,
    String evidence,
    long connections,
    long reset,
    long requests,
    long bytesIn,
    long bytesOut) {
  /** The groups of an observation, those with the most requests first. */
  public static List<ConnectionGroup> of(Observation observation) {
    Map<String, String> serverAt = Server.aloneAtHost(observation.servers());
    Map<List<String>, List<ObservedConnection>> groups = new LinkedHashMap<>();
    for (ObservedConnection each : observation.connections()) {
      String host = Server.host(each.clientAddress());
      String caller = serverAt.getOrDefault(host, Server.CLIENTS);
      groups
          .computeIfAbsent(
              List.of(caller, each.server(), each.protocol()), key -> new ArrayList<>())
          .add(each);
    }
    List<ConnectionGroup> all = new ArrayList<>();
    groups.forEach((key, members) -> all.add(group(key.getFirst(), members)));
    all.sort(
        Comparator.comparingLong(ConnectionGroup::requests)
            .thenComparingLong(ConnectionGroup::connections)
            .reversed());
    return List.copyOf(all);
  }

  private static ConnectionGroup group(String caller, List<ObservedConnection> members) {
    ObservedConnection first = members.getFirst();
    String evidence =
        members.stream()
            .map(ObservedConnection::evidence)
            .collect(Collectors.toCollection(TreeSet::new))
            .stream()
            .collect(Collectors.joining("; "));
    return new ConnectionGroup(
        caller,
        first.server(),
        first.protocol(),
        evidence,
        members.size(),
        members.stream().filter(each -> each.ending() == ObservedConnection.Ending.RESET).count(),
        members.stream().mapToLong(ObservedConnection::requests).sum(),
        members.stream().mapToLong(ObservedConnection::bytesIn).sum(),
        members.stream().mapToLong(ObservedConnection::bytesOut).sum());
  }
}
