package org.terrace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.capture.CaptureNamespace;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.details.StitchedObservation;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Phases;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.hosts.Target;
import org.terrace.nodes.fault.FaultText;
import org.terrace.report.PendingResult;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.SpecificationReader;
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
      "Runs an experiment, a mesh or a study of a paper's claims, and leaves its result in a"
          + " directory.",
      "An experiment starts servers, loads and breaks them, and watches them from the wire. Its",
      "result is findings.json, report.html, the tables and the capture. A study repeats a paper's",
      "measurements and judges each of its claims. A mesh is an experiment in many configurations,",
      "under many loads: the same command goes on where an interrupted one stopped, as does the",
      "study of scaling out. A mesh with",
      "prices or an agreement runs only the trials that its search asks for."
    },
    footer = {
      "",
      "Examples:",
      "  terrace run experiments/quickstart.yaml",
      "  terrace run experiments/quickstart.yaml --out out --json >findings.json",
      "  terrace run experiments/quickstart.yaml --target namespaces",
      "  terrace run experiments/quickstart.yaml --target ssh --hosts hosts.yaml",
      "  terrace run experiments/quickstart.yaml --dry-run",
      "  terrace run experiments/small-mesh.yaml --dry-run",
      "  terrace run experiments/small-mesh.yaml --out mesh",
      "  terrace run experiments/guided-mesh.yaml --out guided",
      "  terrace run studies/fail-over.yaml",
      "  terrace run studies/magical-one-percent.yaml --full --out magical"
    })
final class RunCommand implements Callable<Integer> {
  private static final String RESULTS = "out";
  private static final double BYTES_A_MEGABYTE = 1e6;

  /** From here on a capture is slow to copy, and to open in Wireshark. */
  private static final long LARGE_CAPTURE_BYTES = 200_000_000;

  @Parameters(paramLabel = "SPEC", description = "the experiment, mesh or study, a YAML file")
  private Path specification = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ResultOptions results = new ResultOptions();

  @Option(names = "--full", description = "of a study: the published size, which takes hours")
  private boolean full;

  @Option(
      names = "--dry-run",
      description =
          "of a mesh, or a study that runs one: says which trials it would run, and about how long;"
              + " of an experiment: which faults")
  private boolean dryRun;

  @Mixin private TargetOptions targets = new TargetOptions();

  @Mixin private CsvOption csv = new CsvOption();

  @Mixin private Thresholds thresholds = new Thresholds();

  @Mixin private Outputs outputs = new Outputs();
  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    String text = SpecificationReader.text(specification);
    String name = specification.toString();
    String kind = SpecificationReader.kind(name, text).orElse("Experiment");
    if (kind.equals(MeshSpecification.KIND)) {
      requireStudy(full, "a mesh");
      thresholds.refuse();
      csv.refuse();
      return runMesh(text);
    }
    if (kind.equals(Studies.KIND)) {
      thresholds.refuse();
      csv.refuse();
      targets.refuse("a study");
      return runStudy(text);
    }
    requireStudy(full, "an experiment");
    Experiment experiment = SpecificationReader.read(specification.toString(), text);
    if (dryRun) {
      return dryRun(experiment);
    }
    Path directory = results.directory(Path.of(RESULTS, experiment.name()));
    thresholds.read(experiment.failIf());
    Target target = targets.enter();
    if (experiment.observe().packets() && target instanceof Target.Local) {
      tell(CaptureNamespace.enter());
    }
    try (PendingResult pending = results.begin(directory, console)) {
      TrialProgress progress = new TrialProgress(console, experiment, pending.directory());
      TrialOptions options = TrialOptions.ofHome(Home.folder()).on(target);
      Trial trial = trial(options, progress, experiment, text, pending.directory());
      progress.analysing();
      List<String> notes = new ArrayList<>(progress.warnings());
      TrialAnalysis analysis = stitchedAndTold(TrialAnalysis.of(trial), notes);
      AnalysisResult result =
          TrialResult.write(
              trial,
              analysis,
              notes,
              Invocation.of(spec),
              thresholds::judgements,
              pending.directory());
      csv.write(pending.directory(), analysis.observation());
      progress.end();
      pending.finish();
      analysis.losses().forEach(loss -> console.message("  warning: %s", loss));
      outputs.tell(console, result, directory);
      tellOfCapture(directory.resolve(Trial.CAPTURE_FILE));
      Findings findings = result.findings();
      return thresholds.judge(
          console, experiment.name(), findings, outputs.finish(console, findings));
    }
  }

  /** Says which trials a study would run. */
  private int dryRun(Study study) {
    Path directory = results.resumable(Path.of(RESULTS, study.name()), "the study " + study.name());
    List<String> lines =
        (full ? study.asPublished() : study.briefly()).forecast(study, Home.folder(), directory);
    if (lines.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--dry-run lists trials, and the study "
              + study.name()
              + " has none: its parts follow from what it measures; leave it out");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(study.name() + ": " + lines.getFirst());
    lines.stream().skip(1).forEach(line -> out.println("  " + line));
    out.flush();
    return 0;
  }

  /** Says what an experiment would do, with the faults that its campaigns draw. */
  private int dryRun(Experiment experiment) {
    if (targets.target() instanceof Target.Ssh ssh) {
      TrialRunner.hosts(experiment, ssh); // whether each server has one
    }
    Phases phases = experiment.phases();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: servers %s, %s s of ramp-up, %s s of run, %s s of ramp-down; %d faults%n",
        experiment.name(),
        experiment.topology(),
        seconds(phases.rampUp()),
        seconds(phases.run()),
        seconds(phases.rampDown()),
        experiment.faults().size());
    FaultText.ofAll(experiment.faults()).forEach(line -> out.println("  - " + line));
    out.flush();
    return 0;
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private Trial trial(
      TrialOptions options,
      TrialProgress progress,
      Experiment experiment,
      String text,
      Path directory)
      throws InterruptedException {
    try {
      return new TrialRunner(options, progress).run(experiment, text, directory);
    } finally {
      console.endProgress();
    }
  }

  /** Says how large a capture is, and how to make it smaller where that matters. */
  private void tellOfCapture(Path capture) {
    if (!Files.exists(capture)) {
      return;
    }
    try {
      long bytes = Files.size(capture);
      console.message(
          "Capture: %s, %,.1f MB%s",
          capture,
          bytes / BYTES_A_MEGABYTE,
          bytes < LARGE_CAPTURE_BYTES
              ? ""
              : "; 'observe: {snapLength: 512}' keeps the heads of packets alone");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TrialAnalysis stitchedAndTold(TrialAnalysis analysis, List<String> notes) {
    console.progress("stitching the requests into transactions");
    List<String> limits = new ArrayList<>();
    TrialAnalysis stitched = stitched(analysis, limits);
    limits.forEach(limit -> console.message("  warning: %s", limit));
    notes.addAll(limits);
    return stitched;
  }

  /**
   * The analysis of a trial with its transactions.
   *
   * @param limits receives a sentence if there are too many requests for that
   */
  static TrialAnalysis stitched(TrialAnalysis analysis, List<String> limits) {
    StitchedObservation stitched = StitchedObservation.ofTrial(analysis.observation(), limits);
    Findings findings = analysis.result().findings();
    return new TrialAnalysis(
        stitched.observation(),
        analysis.result().withFindings(findings.withInput(findings.capture(), stitched.findings())),
        analysis.losses());
  }

  private void requireStudy(boolean asked, String what) {
    if (asked) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--full is for studies, and " + specification + " is " + what + "; leave it out");
    }
  }

  private int runMesh(String text) throws InterruptedException {
    MeshSpecification mesh = SpecificationReader.readMesh(specification.toString(), text);
    Path directory = results.resumable(Path.of(RESULTS, mesh.name()), "a mesh");
    if (dryRun) {
      return new MeshRun(console, targets.target()).dryRun(mesh, directory);
    }
    Target target = targets.enter();
    MeshRun run = new MeshRun(console, target);
    if (target instanceof Target.Local
        && mesh.trials().stream().anyMatch(trial -> trial.experiment().observe().packets())) {
      tell(CaptureNamespace.enter());
    }
    return run.run(mesh, text, directory, outputs.json());
  }

  private int runStudy(String text) throws InterruptedException {
    Study study = Studies.read(specification.toString(), text);
    if (dryRun) {
      return dryRun(study);
    }
    if (Studies.resumes(study.name())) {
      return resumeStudy(study, text);
    }
    Path directory = results.directory(Path.of(RESULTS, study.name()));
    if (Studies.breaksNetwork(study.name()) && CaptureNamespace.enterIfPermitted()) {
      console.message("The run has a network namespace of its own.");
    }
    if (Studies.capturesPackets(study.name())) {
      tell(CaptureNamespace.enter());
    }
    try (PendingResult pending = results.begin(directory, console)) {
      StudyFindings findings = new StudyRun(console).run(study, text, full, pending.directory());
      pending.finish();
      StudyRun.tell(console, findings, directory);
      return outputs.finish(console, Findings.ofStudy(findings));
    }
  }

  /** Runs a study in its directory itself, where the next command finds what this one has done. */
  private int resumeStudy(Study study, String text) throws InterruptedException {
    Path directory = results.resumable(Path.of(RESULTS, study.name()), "the study " + study.name());
    StudyRun.begin(directory, study.name(), text);
    StudyFindings findings;
    try (var _ =
        new InterruptionNotice(
            console,
            () ->
                "the trials that have ended are kept in "
                    + directory
                    + "; the same command goes on")) {
      findings = new StudyRun(console).run(study, text, full, directory);
    }
    StudyRun.tell(console, findings, directory);
    return outputs.finish(console, Findings.ofStudy(findings));
  }

  private void tell(CaptureNamespace.Placement placement) {
    switch (placement) {
      case PERMITTED, PERMITTED_PROGRAM -> {}
      case NAMESPACE ->
          console.message(
              "Capturing is not permitted here, so the run has a network namespace of its own.");
    }
  }
}
