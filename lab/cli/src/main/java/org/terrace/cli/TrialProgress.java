package org.terrace.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.TimeSource;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.observation.Event;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows how a trial is getting on, and keeps its warnings for the report. */
final class TrialProgress implements TrialListener {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Console console;
  private final List<String> warnings = new ArrayList<>();
  private final ProgressFile file;
  private TrialPhase phase = TrialPhase.CHECK;

  /**
   * @param directory the directory of the result, where others may follow the progress
   */
  TrialProgress(Console console, Experiment experiment, Path directory) {
    this.console = console;
    file =
        ProgressFile.begin(
            directory,
            "experiment",
            experiment.name(),
            TimeSource.system(),
            text -> console.message("  warning: %s", text));
    console.headline(
        experiment.name() + ": " + experiment.topology() + " (web/app/middleware/database)");
  }

  @Override
  public synchronized void phase(TrialPhase next) {
    phase = next;
    file.phase(next.description());
    console.message("  %s", next.description());
  }

  @Override
  public void message(String text) {
    file.message(text);
    console.message("  %s", text);
  }

  @Override
  public synchronized void warning(String text) {
    warnings.add(text);
    file.warning(text);
    console.message("  warning: %s", text);
  }

  @Override
  public void fault(Event fault) {
    file.fault(fault);
  }

  @Override
  public synchronized void progress(String json) {
    file.figures(json);
    JsonNode figures = JSON.readTree(json);
    console.progress(
        "  %s: %,d users, %,.0f requests/s, %,d errors, p99 %.1f ms",
        phase.description(),
        figures.path("users").asLong(),
        figures.path("requestsPerSecond").asDouble(),
        figures.path("errors").asLong(),
        figures.path("p99Micros").asDouble() / 1_000);
  }

  /** The packets are read, and the requests analysed. */
  void analysing() {
    String text = "reading the packets and analysing the requests";
    console.progress("%s", text);
    file.phase(text);
  }

  /** The result is whole. */
  void end() {
    file.end();
  }

  synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }
}
