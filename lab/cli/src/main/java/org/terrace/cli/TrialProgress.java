package org.terrace.cli;

import java.util.ArrayList;
import java.util.List;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialPhase;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows how a trial is getting on, and keeps its warnings for the report. */
final class TrialProgress implements TrialListener {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Console console;
  private final List<String> warnings = new ArrayList<>();
  private TrialPhase phase = TrialPhase.CHECK;

  TrialProgress(Console console, Experiment experiment) {
    this.console = console;
    console.headline(
        experiment.name() + ": " + experiment.topology() + " (web/app/middleware/database)");
  }

  @Override
  public synchronized void phase(TrialPhase next) {
    phase = next;
    console.message("  %s", next.description());
  }

  @Override
  public void message(String text) {
    console.message("  %s", text);
  }

  @Override
  public synchronized void warning(String text) {
    warnings.add(text);
    console.message("  warning: %s", text);
  }

  @Override
  public synchronized void progress(String json) {
    JsonNode figures = JSON.readTree(json);
    console.progress(
        "  %s: %,d users, %,.0f requests/s, %,d errors, p99 %.1f ms",
        phase.description(),
        figures.path("users").asLong(),
        figures.path("requestsPerSecond").asDouble(),
        figures.path("errors").asLong(),
        figures.path("p99Micros").asDouble() / 1_000);
  }

  synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }
}
