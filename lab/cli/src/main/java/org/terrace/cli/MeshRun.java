package org.terrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.CountedNoun;
import org.terrace.core.ErrorCode;
import org.terrace.core.TimeSource;
import org.terrace.details.ResultMetrics;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.hosts.Target;
import org.terrace.mesh.MeshFile;
import org.terrace.mesh.MeshForecast;
import org.terrace.mesh.MeshListener;
import org.terrace.mesh.MeshResults;
import org.terrace.mesh.MeshRunner;
import org.terrace.mesh.TrialOutput;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.FaultText;
import org.terrace.observation.Event;
import org.terrace.report.FindingsFile;
import org.terrace.report.plan.AttemptWords;
import org.terrace.report.plan.MeshConditions;
import org.terrace.report.plan.SearchWords;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;
import tools.jackson.databind.json.JsonMapper;

/** Runs a mesh, shows how it is getting on, and leaves a result for each of its trials. */
final class MeshRun implements MeshListener, TrialOutput {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final double BYTES_A_MEBIBYTE = 1 << 20;

  private final Console console;
  private final Target target;
  private volatile Path directory = Path.of("");
  private volatile ConfigurationNames names = ConfigurationNames.of(List.of());
  private final AtomicInteger done = new AtomicInteger();
  private volatile int trials;
  private volatile Optional<ProgressFile> file = Optional.empty();

  /**
   * A run of which nothing has begun.
   *
   * @param target where the servers run
   */
  MeshRun(Console console, Target target) {
    this.console = console;
    this.target = target;
  }

  private MeshRunner runner() {
    return new MeshRunner(TrialOptions.ofHome(Home.folder()).on(target), this, this);
  }

  private static ConfigurationNames names(MeshSpecification mesh) {
    return ConfigurationNames.of(mesh.trials().stream().map(PlannedTrial::configuration).toList());
  }

  /** Says what the mesh would do in a directory; the exit code. */
  int dryRun(MeshSpecification mesh, Path directory) {
    MeshForecast forecast = runner().forecast(mesh, directory);
    names = names(mesh);
    System.out.println(summary(forecast));
    if (!names.note().isEmpty()) {
      System.out.println("  " + names.note());
    }
    boolean all = forecast.method() == SearchMethod.FULL;
    int number = forecast.done();
    List<Fault> before = List.of();
    for (PlannedTrial trial : forecast.order()) {
      number++;
      String place = all ? "[" + number + "/" + forecast.trials() + "] " : "perhaps ";
      System.out.println("  " + place + trial.label(names));
      List<Fault> faults = trial.experiment().faults();
      if (!faults.equals(before)) {
        FaultText.ofAll(faults).forEach(line -> System.out.println("      - " + line));
      }
      before = faults;
    }
    return 0;
  }

  /** Runs the mesh; the exit code. */
  int run(MeshSpecification mesh, String specification, Path into, boolean json)
      throws InterruptedException {
    directory = into;
    names = names(mesh);
    MeshResults results;
    try (var _ = new InterruptionNotice(console, this::kept)) {
      results = runner().run(mesh, specification, directory);
    } finally {
      console.endProgress();
    }
    file.ifPresent(ProgressFile::end);
    List<MeshTrial> trials = results.mesh().trials();
    long known = trials.stream().filter(each -> each.status() == Status.FAILED).count();
    long failed = results.failed();
    console.headline(
        results.mesh().done().size()
            + " of "
            + CountedNoun.of(trials.size(), "trial")
            + (trials.size() == 1 ? " is done" : " are done"));
    results
        .answer()
        .ifPresent(answer -> SearchWords.sentences(answer, names).forEach(console::headline));
    AttemptWords.sentences(trials, names).forEach(each -> console.message("  %s", each));
    console.message("Mesh: %s", directory.resolve(MeshFile.NAME));
    if (known > failed) {
      console.message(
          "  %s failed in an earlier round, and the search had no need to try again",
          CountedNoun.of(known - failed, "trial"));
    }
    if (failed > 0) {
      console.failure(
          failed == 1
              ? "1 trial failed: its logs are in its folder, the same command tries it again"
              : failed
                  + " trials failed: their logs are in their folders, the same command tries them again");
    }
    results.failedConditions().forEach(each -> console.failure("Failed: " + each));
    if (json) {
      System.out.print(MeshFile.toJson(results));
      System.out.flush();
    }
    return exitCode(results);
  }

  /** The exit code of a command that leaves these results. */
  static int exitCode(MeshResults results) {
    return results.hasFailed() ? ErrorCode.CHECK_FAILED.exitCode() : 0;
  }

  private static Optional<Findings> findings(Path folder) {
    Path file = folder.resolve(FindingsFile.NAME);
    return Files.exists(file) ? Optional.of(FindingsFile.read(file)) : Optional.empty();
  }

  /** The work that an interrupt leaves. */
  private String kept() {
    int all = trials == 0 ? done.get() : trials;
    return done.get()
        + (trials == 0 ? "" : " of " + trials)
        + (all == 1 ? " trial is" : " trials are")
        + " done in "
        + directory
        + "; the same command goes on with the others";
  }

  static String summary(MeshForecast forecast) {
    boolean all = forecast.method() == SearchMethod.FULL;
    return String.format(
        Locale.ROOT,
        "%s: %s, %s, %s: %s, of which %d %s done; %s about %s and" + " %.0f MB",
        forecast.name(),
        CountedNoun.of(forecast.configurations(), "configuration"),
        CountedNoun.of(forecast.loads(), "load"),
        CountedNoun.of(forecast.repeats(), "repeat"),
        CountedNoun.of(forecast.trials(), "trial"),
        forecast.done(),
        forecast.done() == 1 ? "is" : "are",
        all
            ? "the others take"
            : "the search ("
                + forecast.method().word()
                + ") runs at most "
                + forecast.most()
                + " of the others, which take",
        duration(forecast.seconds()),
        Math.ceil(forecast.bytes() / BYTES_A_MEBIBYTE));
  }

  private static String duration(double seconds) {
    long rounded = Math.round(seconds);
    if (rounded < 120) {
      return rounded + " s";
    }
    long minutes = Math.round(seconds / 60);
    return minutes < 120 ? minutes + " min" : String.format(Locale.ROOT, "%.1f h", seconds / 3_600);
  }

  @Override
  public void plan(MeshForecast forecast) {
    console.headline(summary(forecast));
    if (!names.note().isEmpty()) {
      console.message("  %s", names.note());
    }
    done.set(forecast.done());
    trials = forecast.trials();
    file =
        Optional.of(
            ProgressFile.begin(
                directory,
                "mesh",
                forecast.name(),
                TimeSource.system(),
                text -> console.message("  warning: %s", text)));
  }

  @Override
  public void chosen(String reason) {
    message("next: " + reason);
  }

  @Override
  public void begins(int number, int trials, PlannedTrial trial, int attempt) {
    file.ifPresent(each -> each.trial(number, trials, trial.label(names), attempt));
    console.message(
        "  [%d/%d] %s%s",
        number, trials, trial.label(names), attempt > 1 ? ", attempt " + attempt : "");
  }

  @Override
  public void ended(MeshTrial trial, String reason) {
    String label = names.of(trial.configuration()) + ", " + trial.users() + " users";
    file.ifPresent(each -> each.trialEnded(label, reason));
    if (trial.status() == Status.DONE) {
      done.incrementAndGet();
      long errors = trial.classes().stream().mapToLong(each -> each.errors()).sum();
      console.message(
          "      %,.1f pages/s, %,d errors; the busiest: %s",
          trial.throughputPerSecond(), errors, busiest(trial));
    } else {
      console.message("      failed: %s", reason);
    }
  }

  private static String busiest(MeshTrial trial) {
    return trial.utilisation().stream()
        .max((left, right) -> Double.compare(left.mean(), right.mean()))
        .map(series ->
            String.format(
                Locale.ROOT,
                "%s of %s at %.0f %%",
                series.resource(),
                series.node(),
                100 * series.mean()))
        .orElse("not known");
  }

  @Override
  public void failed(PlannedTrial trial, String reason) {
    console.message("      failed: %s", reason);
  }

  @Override
  public void phase(TrialPhase phase) {
    file.ifPresent(each -> each.phase(phase.description()));
  }

  @Override
  public void fault(Event fault) {
    file.ifPresent(each -> each.fault(fault));
  }

  @Override
  public void message(String text) {
    file.ifPresent(each -> each.message(text));
    console.message("  %s", text);
  }

  @Override
  public void warning(String text) {
    file.ifPresent(each -> each.warning(text));
    console.message("  warning: %s", text);
  }

  @Override
  public void progress(String json) {
    file.ifPresent(each -> each.figures(json));
    console.progress("      %s", TrialProgress.words(JSON.readTree(json)));
  }

  @Override
  public void write(Trial trial, TrialAnalysis analysis, List<String> warnings, Path folder) {
    TrialResult.write(
        trial,
        analysis,
        warnings,
        "./terrace run " + Trial.SPECIFICATION_FILE,
        findings -> {
          Map<String, Double> figures = ResultMetrics.byName(findings);
          return trial.experiment().failIf().stream().map(each -> each.judge(figures)).toList();
        },
        folder);
  }

  @Override
  public List<String> failedConditions(MeshSpecification mesh, List<MeshTrial> trials, Path into) {
    return MeshConditions.failed(
        mesh.trials().getFirst().experiment().failIf(),
        trials,
        names(mesh),
        trial -> findings(into.resolve(trial.folder())));
  }
}
