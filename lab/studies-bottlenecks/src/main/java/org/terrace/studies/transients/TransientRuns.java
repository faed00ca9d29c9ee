package org.terrace.studies.transients;

import static org.terrace.studies.design.Ledger.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.TrialRunner;
import org.terrace.studies.design.StudyContext;

/** Runs the experiments of the study one after the other, and keeps what claims are judged by. */
final class TransientRuns {
  private final StudyContext context;
  private final TransientParameters parameters;

  TransientRuns(StudyContext context, TransientParameters parameters) {
    this.context = context;
    this.parameters = parameters;
  }

  /** One run of each setting. */
  List<TransientRun> run() throws InterruptedException {
    List<TransientRun> runs = new ArrayList<>();
    int number = 0;
    for (TransientSetting setting : parameters.runs()) {
      number++;
      context
          .listener()
          .message(
              text(
                  "%d of %d: %s, %d users",
                  number, parameters.runs().size(), setting.label(), parameters.users(setting)));
      runs.add(run(setting));
    }
    return runs;
  }

  private TransientRun run(TransientSetting setting) throws InterruptedException {
    TransientSpecification specification =
        TransientSpecification.of(
            setting, parameters, context.study().network(), context.study().seed());
    Trial trial =
        new TrialRunner(TrialOptions.ofHome(context.home()), new Progress())
            .run(
                specification.experiment(), specification.text(), context.folder(setting.folder()));
    TransientRun run = RunReader.read(setting, trial, TrialAnalysis.of(trial));
    if (!context.full()) {
      trial.captures().forEach(file -> delete(file.file()));
    }
    return run;
  }

  /** A short run is repeated rather than kept: its packets would be most of the result. */
  private static void delete(Path capture) {
    try {
      Files.deleteIfExists(capture);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells what a trial does as a step of the study. */
  private final class Progress implements TrialListener {
    @Override
    public void phase(TrialPhase phase) {
      context.listener().progress(phase.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void warning(String warning) {
      context.listener().warning(warning);
    }
  }
}
