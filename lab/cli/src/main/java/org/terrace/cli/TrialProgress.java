package org.terrace.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  private static final double MICROS_A_MILLI = 1e3;

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
    console.progress("  %s: %s", phase.description(), words(figures));
  }

  /** The figures of a second in words. */
  static String words(JsonNode figures) {
    double perSecond = figures.path("requestsPerSecond").asDouble();
    return String.format(
        Locale.ROOT,
        "%,d users, %,.0f requests/s, %,d errors, %s",
        figures.path("users").asLong(),
        perSecond,
        figures.path("errors").asLong(),
        perSecond > 0
            ? String.format(
                Locale.ROOT, "p99 %.1f ms", figures.path("p99Micros").asDouble() / MICROS_A_MILLI)
            : "no page ended");
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
