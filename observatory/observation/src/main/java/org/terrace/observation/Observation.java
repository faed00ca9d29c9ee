package org.terrace.observation;

import java.util.Comparator;
import java.util.List;

/**
 * All that was observed of a system over a stretch of time, on one clock: the servers and the four
 * tables. Immutable.
 *
 * @param servers the servers, in the order of their tiers from the users to the database
 * @param requests the requests of all servers, sorted by arrival
 * @param samples the readings of resources, sorted by time
 * @param events the events, sorted by start
 * @param connections the connections, sorted by start; empty where no packets tell them
 */
public record Observation(
    List<Server> servers,
    RequestTable requests,
    List<Sample> samples,
    List<Event> events,
    List<ObservedConnection> connections) {

  /** Copies the lists and sorts them by time. */
  public Observation {
    servers = List.copyOf(servers);
    samples = samples.stream().sorted(Comparator.comparingLong(Sample::timeNanos)).toList();
    events = events.stream().sorted(Comparator.comparingLong(Event::startNanos)).toList();
    connections =
        connections.stream()
            .sorted(Comparator.comparingLong(ObservedConnection::startNanos))
            .toList();
  }

  /** An observation without connections. */
  public Observation(
      List<Server> servers, RequestTable requests, List<Sample> samples, List<Event> events) {
    this(servers, requests, samples, events, List.of());
  }
}
