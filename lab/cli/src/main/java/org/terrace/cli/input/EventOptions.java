package org.terrace.cli.input;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.evidence.Evidence;
import org.terrace.evidence.EvidenceFile;
import picocli.CommandLine.Option;

/** The options of a command that lays files of events and readings beside a capture. */
public final class EventOptions {
  @Option(
      names = "--events",
      paramLabel = "[NODE=]FILE",
      description =
          "events that may explain stalls, and readings: a table, a log, a watched host, an answer"
              + " of Prometheus; repeatable")
  private List<String> files = List.of();

  @Option(
      names = "--events-zone",
      paramLabel = "ZONE",
      description =
          "zone of dates in logs that tell none, such as Europe/Berlin; default: this machine's")
  private @Nullable String zone;

  @Option(
      names = "--events-label",
      paramLabel = "LABEL",
      description = "label of Prometheus's series that names the server; default: ${DEFAULT-VALUE}")
  private String label = EvidenceFile.SERVER_LABEL;

  /** The content of all files that were named, one after the other. */
  public Evidence read() {
    return EventInput.readAll(
        files.stream().map(EventInput::parse).toList(), EventInput.zone(zone), label);
  }
}
