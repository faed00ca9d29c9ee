package org.terrace.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.ledger.StudyFindings;
import org.terrace.capture.CaptureNamespace;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.experiment.spec.SpecificationReader;
import org.terrace.report.PendingResult;
import org.terrace.report.ResultDirectory;
import org.terrace.report.TrialFacts;
import org.terrace.report.TrialFacts.Fact;
import org.terrace.studies.Studies;
import org.terrace.studies.design.Study;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace run}: runs an experiment and leaves a result directory. */
@Command(
    name = "run",
    description = {
      "Runs an experiment or a study of a paper's claims, and leaves its result in a directory.",
      "An experiment starts servers, loads and breaks them, and watches them from the wire. Its",
      "result is findings.json, report.html, the tables and the capture. A study repeats a paper's",
      "measurements and judges each of its claims."
    },
    footer = {
      "",
      "Examples:",
      "  terrace run experiments/quickstart.yaml",
      "  terrace run experiments/quickstart.yaml --out out --json >findings.json",
      "  terrace run studies/fail-over.yaml",
      "  terrace run studies/magical-one-percent.yaml --full --out magical"
    })
final class RunCommand implements Callable<Integer> {
  private static final String RESULTS = "out";

  @Parameters(paramLabel = "SPEC", description = "the experiment or study, a YAML file")
  private Path specification = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ResultOptions results = new ResultOptions();

  @Option(names = "--full", description = "of a study: the published size, which takes hours")
  private boolean full;

  @Mixin private Thresholds thresholds = new Thresholds();

  @Mixin private Outputs outputs = new Outputs();
  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    String text = SpecificationReader.text(specification);
    String name = specification.toString();
    if (SpecificationReader.kind(name, text).filter(Studies.KIND::equals).isPresent()) {
      thresholds.refuse();
      return runStudy(text);
    }
    if (full) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--full is for studies, and " + specification + " is an experiment; leave it out");
    }
    Experiment experiment = SpecificationReader.read(specification.toString(), text);
    Path directory = results.directory(Path.of(RESULTS, experiment.name()));
    thresholds.read(experiment.failIf());
    if (experiment.observe().packets()) {
      tell(CaptureNamespace.enter());
    }
    TrialProgress progress = new TrialProgress(console, experiment);
    try (PendingResult pending = results.begin(directory, console)) {
      Trial trial;
      try {
        trial =
            new TrialRunner(TrialOptions.ofHome(Home.folder()), progress)
                .run(experiment, text, pending.directory());
      } finally {
        console.endProgress();
      }
      console.progress("reading the packets and analysing the requests");
      TrialAnalysis analysis = TrialAnalysis.of(trial);
      AnalysisResult result = write(trial, analysis, progress.warnings(), pending.directory());
      pending.finish();
      analysis.losses().forEach(loss -> console.message("  warning: %s", loss));
      outputs.tell(console, result, directory);
      Findings findings = result.findings();
      return thresholds.judge(console, experiment.name(), findings, outputs.finish(findings));
    }
  }

  private int runStudy(String text) throws InterruptedException {
    Study study = Studies.read(specification.toString(), text);
    Path directory = results.directory(Path.of(RESULTS, study.name()));
    if (Studies.breaksNetwork(study.name()) && CaptureNamespace.enterIfPermitted()) {
      console.message("The run has a network namespace of its own.");
    }
    try (PendingResult pending = results.begin(directory, console)) {
      StudyFindings findings = new StudyRun(console).run(study, text, full, pending.directory());
      pending.finish();
      StudyRun.tell(console, findings, directory);
      return outputs.finish(Findings.ofStudy(findings));
    }
  }

  private void tell(CaptureNamespace.Placement placement) {
    switch (placement) {
      case PERMITTED, PERMITTED_PROGRAM -> {}
      case NAMESPACE ->
          console.message(
              "Capturing is not permitted here, so the run has a network namespace of its own.");
    }
  }

  /** Leaves the findings, the tables and the report in the directory. */
  private AnalysisResult write(
      Trial trial, TrialAnalysis analysis, List<String> warnings, Path directory) {
    List<String> notes = new ArrayList<>(warnings);
    notes.addAll(analysis.losses());
    TrialFacts facts =
        new TrialFacts(
            trial.experiment().name(),
            Invocation.of(spec),
            trial.specification(),
            trial.experiment().seed(),
            factsOf(trial.machine()),
            factsOf(trial.versions()),
            notes,
            List.of(),
            List.of(),
            List.of());
    Findings findings = analysis.result().findings();
    AnalysisResult result =
        analysis
            .result()
            .withFindings(findings.withOutcome(notes, thresholds.judgements(findings)));
    ResultDirectory.write(directory, analysis.observation(), result, facts);
    return result;
  }

  private static List<Fact> factsOf(Map<String, String> named) {
    return named.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> new Fact(entry.getKey(), entry.getValue()))
        .toList();
  }
}
