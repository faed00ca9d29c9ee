package org.terrace.cli.input;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.terrace.evidence.Evidence;
import org.terrace.evidence.host.WatchOptions;
import org.terrace.observation.Event;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/**
 * Evidence that is held against the servers of one observation: a reading of whoever is asked at
 * {@code HOST:PORT} is of the server that has this address or name, or is alone at that host.
 * Stateless.
 */
public final class HeldEvidence {
  /** A reading stands for the time before it, which is seldom longer. */
  private static final long LONGEST_STEP_NANOS = 60_000_000_000L;

  private HeldEvidence() {}

  /** The evidence with the servers' names, and notes about what belongs to none of them. */
  public static Evidence of(Evidence evidence, List<Server> servers, RequestTable requests) {
    List<Sample> samples = named(evidence.samples(), servers);
    List<String> notes = new ArrayList<>(evidence.notes());
    notes.addAll(EventInput.strangers(evidence.events(), servers));
    Set<String> told = evidence.events().stream().map(Event::node).collect(Collectors.toSet());
    notes.addAll(strangers(samples, servers, told));
    notes.addAll(elsewhen(samples, requests));
    return new Evidence(evidence.events(), samples, evidence.summary(), notes);
  }

  /** The samples with the names of the servers that they are of, as far as these are known. */
  static List<Sample> named(List<Sample> samples, List<Server> servers) {
    Map<String, String> names = new HashMap<>();
    Map<String, Set<String>> sources = new HashMap<>();
    for (Sample sample : samples) {
      String name = names.computeIfAbsent(sample.node(), node -> serverOf(node, servers));
      sources
          .computeIfAbsent(name + '\0' + sample.resource(), _ -> new HashSet<>())
          .add(sample.node());
    }
    return samples.stream()
        .map(sample -> {
          String name = names.getOrDefault(sample.node(), sample.node());
          boolean alone =
              sources.getOrDefault(name + '\0' + sample.resource(), Set.of()).size() == 1;
          // Two places of one server tell the same metric: neither may pass for the other.
          String resource = alone ? sample.resource() : sample.resource() + " at " + sample.node();
          return new Sample(name, resource, sample.timeNanos(), sample.value());
        })
        .toList();
  }

  private static String serverOf(String node, List<Server> servers) {
    Set<String> known = servers.stream().map(Server::name).collect(Collectors.toSet());
    if (known.contains(node)) {
      return node;
    }
    for (Server server : servers) {
      if (server.addresses().contains(node)) {
        return server.name();
      }
    }
    String host = node.indexOf(':') < 0 ? node : Server.host(node);
    return known.contains(host) ? host : Server.aloneAtHost(servers).getOrDefault(host, node);
  }

  private static List<String> strangers(
      List<Sample> samples, List<Server> servers, Set<String> told) {
    Set<String> known = servers.stream().map(Server::name).collect(Collectors.toSet());
    Set<String> unknown = samples.stream().map(Sample::node).collect(Collectors.toSet());
    unknown.removeAll(known);
    unknown.removeAll(told);
    unknown.remove(WatchOptions.HOST);
    return new TreeSet<>(unknown)
        .stream()
            .map(node ->
                "--events: no server has the name or is alone at the address of '"
                    + node
                    + "', so its readings stand by themselves; there are "
                    + String.join(", ", new TreeSet<>(known)))
            .toList();
  }

  /** A sentence where all readings are of another time than the requests. */
  private static List<String> elsewhen(List<Sample> samples, RequestTable requests) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int row = 0; row < requests.size(); row++) {
      first = Math.min(first, requests.arrivalNanos(row));
      last = Math.max(last, requests.departureNanos(row));
    }
    long begin = first;
    long end = last;
    if (samples.isEmpty()
        || requests.size() == 0
        || samples.stream()
            .mapToLong(Sample::timeNanos)
            .anyMatch(time -> time >= begin && time - LONGEST_STEP_NANOS <= end)) {
      return List.of();
    }
    return List.of(
        "--events: no reading is of the time of the requests, "
            + instant(begin)
            + " to "
            + instant(end)
            + "; the first is of "
            + instant(samples.getFirst().timeNanos()));
  }

  private static Instant instant(long epochNanos) {
    return Instant.EPOCH.plusNanos(epochNanos).truncatedTo(ChronoUnit.MILLIS);
  }
}
