package org.terrace.cli.history;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.history.HistoryChange;
import org.terrace.details.history.MetricTrend;
import org.terrace.details.history.MissingStretch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The changes of a history that somebody has acknowledged, which fail no command again. They lie in
 * a file beside the history, which is to be kept with it. Immutable.
 *
 * @param file the file, which need not exist
 * @param changes the changes
 */
public record AcknowledgedChanges(Path file, Set<Change> changes) {
  /** The format of the file. */
  public static final String FORMAT = "terrace-acknowledged/1";

  /** The argument that acknowledges every change. */
  public static final String ALL = "all";

  /** The file's name, whose ending no pattern of results or benchmarks has. */
  private static final String NAME = "acknowledged-changes";

  private static final char AT = '@';

  /** Copies the set. */
  public AcknowledgedChanges {
    changes = Set.copyOf(changes);
  }

  /** A change: its figure's name, and the label of the first result that has it. */
  public record Change(String metric, String at) {
    @Override
    public String toString() {
      return metric + AT + at;
    }
  }

  /**
   * Reads the acknowledgements of a history; none if there is no file.
   *
   * @param folder the directory that holds the history
   * @param own the name of the file that the history is, empty where it is the directory
   */
  public static AcknowledgedChanges beside(Path folder, String own) {
    Path file = folder.resolve(own.isEmpty() ? NAME : own + "." + NAME);
    if (!Files.exists(file)) {
      return new AcknowledgedChanges(file, Set.of());
    }
    Set<Change> changes = new LinkedHashSet<>();
    for (JsonNode each : JsonFile.read(file, FORMAT).path("changes")) {
      changes.add(new Change(each.path("metric").asString(""), each.path("at").asString("")));
    }
    return new AcknowledgedChanges(file, changes);
  }

  /** Whether a file is one of acknowledgements, by its name. */
  static boolean isFile(Path path) {
    return String.valueOf(path.getFileName()).endsWith(NAME);
  }

  /** Whether a change is acknowledged. */
  public boolean has(String metric, String at) {
    return changes.contains(new Change(metric, at));
  }

  /**
   * Adds acknowledgements and writes the file.
   *
   * @param arguments a figure and a point each, {@code METRIC@POINT}, or {@value #ALL}
   * @param trends what was found
   * @throws TerraceException if there is no such change; then nothing is written
   */
  public AcknowledgedChanges with(List<String> arguments, List<MetricTrend> trends) {
    Set<Change> found = new LinkedHashSet<>();
    for (MetricTrend trend : trends) {
      for (HistoryChange change : trend.changes()) {
        found.add(new Change(trend.metric().name(), change.at()));
      }
      for (MissingStretch missing : trend.missing()) {
        found.add(new Change(trend.metric().name(), missing.at()));
      }
    }
    Set<Change> added = new LinkedHashSet<>(changes);
    for (String argument : arguments) {
      if (argument.equals(ALL)) {
        added.addAll(found);
      } else {
        added.add(named(argument, found));
      }
    }
    AcknowledgedChanges all = new AcknowledgedChanges(file, added);
    all.write();
    return all;
  }

  private static Change named(String argument, Collection<Change> found) {
    // A name may hold the sign too, and so may a label: compared whole, neither need be parted.
    return found.stream()
        .filter(change -> change.toString().equals(argument))
        .findFirst()
        .orElseThrow(() ->
            new TerraceException(
                ErrorCode.BAD_INPUT,
                "--acknowledge "
                    + argument
                    + ": there is no such change; expected METRIC"
                    + AT
                    + "POINT, one of "
                    + found
                    + ", or "
                    + ALL));
  }

  private void write() {
    ObjectNode content = JsonMapper.shared().createObjectNode();
    content.put("format", FORMAT);
    ArrayNode list = content.putArray("changes");
    List<Change> sorted = new ArrayList<>(changes);
    sorted.sort((one, other) -> one.toString().compareTo(other.toString()));
    for (Change change : sorted) {
      list.addObject().put("metric", change.metric()).put("at", change.at());
    }
    JsonFile.write(file, content);
  }
}
