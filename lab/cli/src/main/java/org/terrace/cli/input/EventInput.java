package org.terrace.cli.input;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.evidence.Evidence;
import org.terrace.evidence.EvidenceFile;
import org.terrace.evidence.host.WatchOptions;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/**
 * A file of events to lay beside a capture: {@code [NODE=]FILE}, where the file is one of {@link
 * EvidenceFile}'s; a log needs the node. Immutable.
 *
 * @param node the server or host whose events they are, null if the file says so
 * @param file the file
 */
public record EventInput(@Nullable String node, Path file) {
  /** Reads an argument. */
  public static EventInput parse(String argument) {
    int equals = argument.indexOf('=');
    String before = equals < 0 ? "" : argument.substring(0, equals);
    boolean named = !before.isEmpty() && before.indexOf('/') < 0;
    return named
        ? new EventInput(before, Path.of(argument.substring(equals + 1)))
        : new EventInput(null, Path.of(argument));
  }

  /** The zone of an argument; null for this machine's, where none was given. */
  public static @Nullable ZoneId zone(@Nullable String argument) {
    try {
      return argument == null ? null : ZoneId.of(argument);
    } catch (DateTimeException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--events-zone: '"
              + argument
              + "' is no zone; expected one such as Europe/Berlin, UTC or +05:30",
          e);
    }
  }

  /**
   * The evidence of all inputs, one after the other; the summary has a line for each.
   *
   * @param zone the zone of dates that tell none; null for this machine's
   * @param serverLabel the label by which an answer of Prometheus names servers
   */
  public static Evidence readAll(
      List<EventInput> inputs, @Nullable ZoneId zone, String serverLabel) {
    List<Event> events = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    List<String> summaries = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Map<String, Path> sources = new HashMap<>();
    for (EventInput input : inputs) {
      Evidence read = input.read(zone, serverLabel);
      events.addAll(read.events());
      samples.addAll(read.samples());
      summaries.add(input.file() + ": " + read.summary());
      notes.addAll(read.notes());
      notes.addAll(shared(input.file(), read.samples(), sources));
    }
    return new Evidence(events, samples, String.join("\n", summaries), notes);
  }

  /** A sentence if readings have the node and the resource of those of another file. */
  private static List<String> shared(Path file, List<Sample> samples, Map<String, Path> sources) {
    for (Sample sample : samples) {
      Path first = sources.putIfAbsent(sample.node() + '\0' + sample.resource(), file);
      if (first != null && !first.equals(file)) {
        return List.of(
            "--events %s: '%s' of %s is in %s, too, and both are taken for one; name files differently if they are of different things"
                .formatted(file, sample.resource(), sample.node(), first));
      }
    }
    return List.of();
  }

  /**
   * A sentence for each node that no server bears the name of: its events are held against every
   * server, as those of a host that all of them share. That is right for a watched host alone.
   */
  public static List<String> strangers(List<Event> events, List<Server> servers) {
    Set<String> known = servers.stream().map(Server::name).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    events.forEach(event -> unknown.add(event.node()));
    unknown.removeAll(known);
    unknown.remove(WatchOptions.HOST);
    return unknown.stream()
        .map(node ->
            "--events: no server is called '"
                + node
                + "', so its events may explain stalls of all of them; there are "
                + String.join(", ", new TreeSet<>(known))
                + " (name servers with --tiers)")
        .toList();
  }

  private Evidence read(@Nullable ZoneId zone, String serverLabel) {
    if (!Files.exists(file)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--events: there is no file "
              + file
              + "; expected [NODE=]FILE, for example app1=pauses.log or events.csv");
    }
    return EvidenceFile.read(file, node, zone, serverLabel);
  }
}
