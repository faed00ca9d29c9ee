package org.terrace.studies.scaleout;

import static org.terrace.studies.design.Ledger.text;

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
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyListener;

/** Runs the trials of the study that its directory does not have yet. */
final class ScaleOutRuns {
  private static final double SECONDS_A_MINUTE = 60;

  private final StudyContext context;
  private final ScaleOutMesh mesh;

  ScaleOutRuns(StudyContext context, ScaleOutMesh mesh) {
    this.context = context;
    this.mesh = mesh;
  }

  Mesh run() throws InterruptedException {
    MeshSpecification specification = mesh.specification();
    ConfigurationNames names =
        ConfigurationNames.of(
            specification.trials().stream().map(PlannedTrial::configuration).toList());
    MeshRunner runner =
        new MeshRunner(
            TrialOptions.ofHome(context.home()),
            (trial, analysis, warnings, folder) -> {},
            new Progress(context.listener(), names));
    return runner
        .run(
            specification,
            String.join("---\n", mesh.texts()),
            ScaleOutFolder.ofTrials(context.directory()))
        .mesh();
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
      listener.message(
          text(
              "%d trials, of which %d are done; the others take about %.0f minutes",
              forecast.trials(), forecast.done(), forecast.seconds() / SECONDS_A_MINUTE));
      if (!names.note().isEmpty()) {
        listener.message(names.note());
      }
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
