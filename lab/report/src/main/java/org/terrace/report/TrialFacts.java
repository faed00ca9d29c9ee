package org.terrace.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.ConnectionGroup;
import org.terrace.observation.Event;
import org.terrace.observation.Observation;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/**
 * The facts of a trial beside its analysis: the specification, the machine and the other
 * observations. A capture or table analysed by itself has fewer facts. Immutable.
 *
 * @param title its name, for example {@code quickstart} or the name of a capture
 * @param command the command that gave this result, to be typed again; null when unknown
 * @param specification the specification as it was written; null when there was none
 * @param seed the seed of everything random; null when nothing was
 * @param machine facts of the machine, for example {@code cores -> 2}
 * @param versions versions of the programs that took part
 * @param notes what a reader should know beside the figures, a sentence each: limits that could not
 *     be set, inputs that were guessed
 * @param servers the servers with their addresses
 * @param samples the readings of resources
 * @param events everything that happened: phases, faults, pauses
 * @param connections who spoke with whom
 */
public record TrialFacts(
    String title,
    @Nullable String command,
    @Nullable String specification,
    @Nullable Long seed,
    List<Fact> machine,
    List<Fact> versions,
    List<String> notes,
    List<Server> servers,
    List<Sample> samples,
    List<Event> events,
    List<ConnectionGroup> connections) {

  /** Copies the lists. */
  public TrialFacts {
    machine = List.copyOf(machine);
    versions = List.copyOf(versions);
    notes = List.copyOf(notes);
    servers = List.copyOf(servers);
    samples = List.copyOf(samples);
    events = List.copyOf(events);
    connections = List.copyOf(connections);
  }

  /** Facts without connections. */
  public TrialFacts(
      String title,
      @Nullable String command,
      @Nullable String specification,
      @Nullable Long seed,
      List<Fact> machine,
      List<Fact> versions,
      List<String> notes,
      List<Server> servers,
      List<Sample> samples,
      List<Event> events) {
    this(
        title,
        command,
        specification,
        seed,
        machine,
        versions,
        notes,
        servers,
        samples,
        events,
        List.of());
  }

  /** A name and its value, both plain text. */
  public record Fact(String name, String value) {}

  /** The facts of an observation that came without a specification. */
  public static TrialFacts of(String title, @Nullable String command, Observation observation) {
    return new TrialFacts(
            title, command, null, null, List.of(), List.of(), List.of(), List.of(), List.of(),
            List.of())
        .with(observation);
  }

  /** These facts with the servers, samples, events and connections of an observation. */
  public TrialFacts with(Observation observation) {
    return new TrialFacts(
        title,
        command,
        specification,
        seed,
        machine,
        versions,
        notes,
        observation.servers(),
        observation.samples(),
        observation.events(),
        ConnectionGroup.of(observation));
  }
}
