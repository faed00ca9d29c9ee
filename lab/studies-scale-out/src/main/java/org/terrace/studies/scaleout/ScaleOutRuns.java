package org.terrace.studies.scaleout;

import static org.terrace.studies.design.Ledger.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.mesh.MeshForecast;
import org.terrace.mesh.MeshListener;
import org.terrace.mesh.MeshRunner;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;
import org.terrace.studies.design.StudyListener;

/** The trials of the study that its directory does not have yet. */
final class ScaleOutRuns {
  private static final double SECONDS_A_MINUTE = 60;

  private ScaleOutRuns() {}

  /** Runs them, and gives all that there are then. */
  static Mesh run(ScaleOutMesh mesh, Path home, Path directory, StudyListener listener)
      throws InterruptedException {
    MeshSpecification specification = mesh.specification();
    return runner(home, new Progress(listener, names(specification)))
        .run(specification, String.join("---\n", mesh.texts()), ScaleOutFolder.ofTrials(directory))
        .mesh();
  }

  /** Says how many they are and how long they take, then names each in the order of the run. */
  static List<String> forecast(ScaleOutMesh mesh, Path home, Path directory) {
    MeshSpecification specification = mesh.specification();
    ConfigurationNames names = names(specification);
    List<String> lines = new ArrayList<>();
    MeshListener warnings =
        new MeshListener() {
          @Override
          public void warning(String warning) {
            lines.add(warning);
          }
        };
    MeshForecast forecast =
        runner(home, warnings).forecast(specification, ScaleOutFolder.ofTrials(directory));
    lines.addAll(summary(forecast, names));
    int number = forecast.done();
    for (PlannedTrial trial : forecast.order()) {
      number++;
      lines.add(text("%d of %d: %s", number, forecast.trials(), trial.label(names)));
    }
    return List.copyOf(lines);
  }

  private static MeshRunner runner(Path home, MeshListener listener) {
    return new MeshRunner(
        TrialOptions.ofHome(home), (trial, analysis, warnings, folder) -> {}, listener);
  }

  private static ConfigurationNames names(MeshSpecification mesh) {
    return ConfigurationNames.of(mesh.trials().stream().map(PlannedTrial::configuration).toList());
  }

  private static List<String> summary(MeshForecast forecast, ConfigurationNames names) {
    String trials =
        text(
            "%d trials, of which %d are done; the others take about %.0f minutes",
            forecast.trials(), forecast.done(), forecast.seconds() / SECONDS_A_MINUTE);
    return names.note().isEmpty() ? List.of(trials) : List.of(trials, names.note());
  }

  /** Tells what trials do as steps of the study. */
  private static final class Progress implements MeshListener {
    private final StudyListener listener;
    private final ConfigurationNames names;

    Progress(StudyListener listener, ConfigurationNames names) {
      this.listener = listener;
      this.names = names;
    }

    @Override
    public void plan(MeshForecast forecast) {
      summary(forecast, names).forEach(listener::message);
    }

    @Override
    public void begins(int number, int trials, PlannedTrial trial, int attempt) {
      listener.message(
          text(
              "%d of %d: %s%s",
              number, trials, trial.label(names), attempt > 1 ? ", attempt " + attempt : ""));
    }

    @Override
    public void ended(MeshTrial trial, String reason) {
      listener.message(
          trial.isDone() ? text("%.1f pages/s", trial.throughputPerSecond()) : "failed: " + reason);
    }

    @Override
    public void failed(PlannedTrial trial, String reason) {
      listener.message("failed: " + reason);
    }

    @Override
    public void phase(TrialPhase phase) {
      listener.progress(phase.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void message(String message) {
      listener.message(message);
    }

    @Override
    public void warning(String warning) {
      listener.warning(warning);
    }
  }
}
