package org.terrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.monitor.PauseLog;
import org.terrace.observation.Event;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Server;

/**
 * A file of events to lay beside a capture: {@code [NODE=]FILE}, where the file is a table of
 * events (CSV, Parquet) or the log of a JVM's pauses, which needs the node. Immutable.
 *
 * @param node the server whose events they are, null if the file says so
 * @param file the file
 */
record EventInput(@Nullable String node, Path file) {
  /** Reads an argument. */
  static EventInput parse(String argument) {
    int equals = argument.indexOf('=');
    String before = equals < 0 ? "" : argument.substring(0, equals);
    boolean named = !before.isEmpty() && before.indexOf('/') < 0;
    return named
        ? new EventInput(before, Path.of(argument.substring(equals + 1)))
        : new EventInput(null, Path.of(argument));
  }

  /** The events of all inputs. */
  static List<Event> readAll(List<EventInput> inputs) {
    List<Event> events = new ArrayList<>();
    inputs.forEach(input -> events.addAll(input.read()));
    return List.copyOf(events);
  }

  /** A sentence for each node that no server bears the name of: its events explain nothing. */
  static List<String> strangers(List<Event> events, List<Server> servers) {
    Set<String> known = servers.stream().map(Server::name).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    events.forEach(event -> unknown.add(event.node()));
    unknown.removeAll(known);
    return unknown.stream()
        .map(node ->
            "--events: no server is called '"
                + node
                + "', so its events explain nothing; there are "
                + String.join(", ", new TreeSet<>(known))
                + " (name servers with --tiers)")
        .toList();
  }

  private List<Event> read() {
    if (!Files.isRegularFile(file)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--events: there is no file "
              + file
              + "; expected [NODE=]FILE, for example app1=pauses.log or events.csv");
    }
    if (ObservationFiles.holdsTable(file)) {
      return ObservationFiles.readEvents(file, node);
    }
    if (node == null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--events "
              + file
              + ": the log of a JVM does not say whose it is; write --events app1="
              + file);
    }
    return PauseLog.read(file, node);
  }
}
