package org.terrace.experiment.mesh;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.ResultFolder;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.TrialRunner;
import org.terrace.experiment.ValidityCheck;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.nodes.machine.MachineFacts;
import org.terrace.observation.Event;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;

/**
 * The runner of a mesh: it runs the trials that the directory does not have yet, one after another,
 * and leaves their rows in {@value MeshFile#NAME}. However it ends, no process it started is left,
 * and what was done stays: the next command goes on from there.
 *
 * <p>A trial that fails, or is not valid, is tried again, and then recorded with its logs; the next
 * command tries it once more.
 */
public final class MeshRunner {
  /** The shortest time between two writings of the mesh's file, which grows with every trial. */
  private static final long WRITE_NANOS = Duration.ofSeconds(10).toNanos();

  /** The longest time that servers of a killed command take to be gone. */
  private static final Duration LEFTOVERS_WITHIN = Duration.ofSeconds(20);

  private static final Duration LEFTOVERS_PAUSE = Duration.ofMillis(200);

  private static final String NOT_YET = "not run yet";

  private final TrialOptions options;
  private final TrialOutput output;
  private final MeshListener listener;
  private final TimeSource time = TimeSource.system();

  /** The warnings given so far, which most trials would repeat. */
  private final Set<String> warned = new HashSet<>();

  /** A runner of the programs that the options name. */
  public MeshRunner(TrialOptions options, TrialOutput output, MeshListener listener) {
    this.options = options;
    this.output = output;
    this.listener = listener;
  }

  /** The things that a trial depends on beside its specification. */
  private record Surroundings(String programs, Map<String, String> machine) {
    String key(PlannedTrial trial) {
      return TrialKey.of(trial, programs, machine);
    }
  }

  private Surroundings surroundings() {
    return new Surroundings(Programs.digest(options), machine());
  }

  /**
   * The facts of the machine that decide what a trial measures; figures are only compared with it.
   */
  private static Map<String, String> machine() {
    MachineFacts facts = MachineFacts.ofThisMachine();
    Map<String, String> named = new TreeMap<>();
    named.put("cores", Integer.toString(facts.cores()));
    named.put("memoryBytes", Long.toString(facts.memoryBytes()));
    named.put("cpu", facts.cpu());
    named.put("kernel", facts.kernel());
    named.put("java", facts.java());
    return named;
  }

  /** The work that a mesh has in a directory, without doing any of it. */
  public MeshForecast forecast(MeshSpecification mesh, Path directory) {
    MeshFolder.requireUsable(directory);
    return forecast(mesh, directory, surroundings());
  }

  private static MeshForecast forecast(
      MeshSpecification mesh, Path directory, Surroundings surroundings) {
    List<PlannedTrial> order = new ArrayList<>();
    List<MeshForecast.Spent> spent = new ArrayList<>();
    long bytes = 0;
    for (PlannedTrial trial : mesh.runOrder()) {
      String key = surroundings.key(trial);
      Optional<TrialRow> row = MeshFolder.row(directory, key);
      if (row.isPresent() && row.get().trial().isDone()) {
        long taken = MeshFolder.bytes(directory.resolve(MeshFolder.relative(key)));
        double overhead = row.get().wallSeconds() - MeshForecast.Spent.phaseSeconds(trial);
        spent.add(new MeshForecast.Spent(overhead, taken));
        bytes += taken;
      } else {
        order.add(trial);
      }
    }
    return MeshForecast.of(mesh, order, spent, bytes);
  }

  /**
   * Runs what is not done yet.
   *
   * @param specification the text the mesh was read from, kept beside the results
   * @return all trials in the order of the specification
   * @throws TerraceException if the machine lacks something that no trial can do without, another
   *     command works in the directory, or the command is interrupted
   */
  public Mesh run(MeshSpecification mesh, String specification, Path directory)
      throws InterruptedException {
    requireLimitsHold(mesh);
    Surroundings surroundings = surroundings();
    try (MeshFolder folder = MeshFolder.open(directory)) {
      warnOfAnotherMachine(folder, surroundings.machine());
      if (folder.removeUnfinished()) {
        awaitEndOfLeftovers(mesh);
      }
      Map<String, TrialRow> rows = new LinkedHashMap<>();
      for (PlannedTrial trial : mesh.trials()) {
        String key = surroundings.key(trial);
        MeshFolder.row(folder.directory(), key).ifPresent(row -> rows.put(key, row));
      }
      tellOfOthers(folder, mesh, surroundings);
      MeshForecast forecast = forecast(mesh, folder.directory(), surroundings);
      listener.plan(forecast);
      ResultFolder.write(folder.directory().resolve(Trial.SPECIFICATION_FILE), specification);
      long written = time.elapsedNanos();
      write(folder, mesh, surroundings, rows);
      int number = forecast.done();
      try {
        for (PlannedTrial planned : forecast.order()) {
          String key = surroundings.key(planned);
          number++;
          rows.put(key, run(mesh, planned, key, folder, number));
          if (time.elapsedNanos() - written > WRITE_NANOS) {
            write(folder, mesh, surroundings, rows);
            written = time.elapsedNanos();
          }
          keepWithin(folder, mesh.keep());
        }
      } finally {
        write(folder, mesh, surroundings, rows);
      }
      return mesh(mesh, surroundings, rows);
    }
  }

  /** Node types that the machine does not hold back would be others than the results say. */
  private static void requireLimitsHold(MeshSpecification mesh) {
    if (mesh.trials().stream().allMatch(trial -> trial.experiment().cpuLimits().isEmpty())) {
      return;
    }
    try (CpuLimits limits = CpuLimits.open()) {
      limits
          .warning()
          .ifPresent(why -> {
            throw new TerraceException(
                ErrorCode.MACHINE_LACKS,
                "the mesh limits its servers' processors, which this machine does not do: "
                    + why
                    + "\nTake the limits and node types out of the specification, or permit them.");
          });
    }
  }

  private static Mesh mesh(
      MeshSpecification mesh, Surroundings surroundings, Map<String, TrialRow> rows) {
    List<MeshTrial> trials = new ArrayList<>();
    for (PlannedTrial planned : mesh.trials()) {
      String key = surroundings.key(planned);
      TrialRow row = rows.get(key);
      trials.add(row == null ? TrialMeasure.without(planned, key, Status.SKIPPED) : row.trial());
    }
    return new Mesh(mesh.name(), surroundings.machine(), trials);
  }

  private static void write(
      MeshFolder folder,
      MeshSpecification mesh,
      Surroundings surroundings,
      Map<String, TrialRow> rows) {
    Map<String, String> reasons = new HashMap<>();
    Mesh results = mesh(mesh, surroundings, rows);
    for (MeshTrial trial : results.trials()) {
      TrialRow row = rows.get(trial.key());
      reasons.put(trial.key(), row == null ? NOT_YET : row.reason());
    }
    MeshFile.write(folder.directory().resolve(MeshFile.NAME), results, reasons);
  }

  private void warnOfAnotherMachine(MeshFolder folder, Map<String, String> machine) {
    Path file = folder.directory().resolve(MeshFile.NAME);
    if (!Files.exists(file)) {
      return;
    }
    Map<String, String> before = MeshFile.read(file).machine();
    TreeSet<String> names = new TreeSet<>(machine.keySet());
    names.addAll(before.keySet());
    String changes =
        names.stream()
            .filter(name -> !machine.getOrDefault(name, "").equals(before.getOrDefault(name, "")))
            .map(name -> name + " was " + before.get(name) + " and is " + machine.get(name))
            .collect(Collectors.joining("; "));
    if (!changes.isEmpty()) {
      listener.warning(
          "the machine is another than that of the trials that are here, and figures of two machines"
              + " are not mixed: every trial is run again ("
              + changes
              + ")");
    }
  }

  private void tellOfOthers(MeshFolder folder, MeshSpecification mesh, Surroundings surroundings) {
    Set<String> keys = new HashSet<>();
    mesh.trials().forEach(trial -> keys.add(surroundings.key(trial)));
    int others = folder.others(keys).size();
    if (others > 0) {
      listener.message(
          others
              + " trials of another specification, other programs or another machine stay in"
              + " trials/, and are not in "
              + MeshFile.NAME);
    }
  }

  /** Waits until the servers of a killed command have left the addresses. */
  private void awaitEndOfLeftovers(MeshSpecification mesh) {
    long deadline = time.elapsedNanos() + LEFTOVERS_WITHIN.toNanos();
    for (PlannedTrial trial : mesh.trials()) {
      while (!TrialRunner.addressesAreFree(trial.experiment()) && time.elapsedNanos() < deadline) {
        LockSupport.parkNanos(LEFTOVERS_PAUSE.toNanos());
      }
    }
  }

  private void keepWithin(MeshFolder folder, Keep keep) {
    List<String> lost = folder.enforce(keep.budgetBytes());
    if (!lost.isEmpty()) {
      listener.message("beyond the budget, deleted: " + String.join(", ", lost));
    }
  }

  /** Tries a trial until it is valid or was tried often enough. */
  private TrialRow run(
      MeshSpecification mesh, PlannedTrial planned, String key, MeshFolder folder, int number)
      throws InterruptedException {
    List<String> reasons = new ArrayList<>();
    for (int attempt = 1; ; attempt++) {
      listener.begins(number, mesh.trials().size(), planned, attempt);
      long start = time.elapsedNanos();
      Path place = folder.begin(key);
      Optional<MeshTrial> done;
      try {
        done = attempt(planned, key, place, reasons);
      } catch (TerraceException e) {
        if (isEnding() || (attempt == mesh.attempts() && e.code() != ErrorCode.CHECK_FAILED)) {
          throw e;
        }
        reasons.add(String.valueOf(e.getMessage()));
        done = Optional.empty();
      }
      if (done.isPresent() || attempt == mesh.attempts()) {
        MeshTrial trial = done.orElseGet(() -> TrialMeasure.without(planned, key, Status.FAILED));
        double seconds = (time.elapsedNanos() - start) / 1e9;
        TrialRow row = new TrialRow(trial, reasons, seconds);
        folder.finish(key, row, attempt, mesh.keep());
        listener.ended(trial, row.reason());
        return row;
      }
      listener.failed(planned, reasons.getLast());
      folder.setAside(key, attempt);
    }
  }

  /** One attempt; empty if the trial is not valid, which is then among the reasons. */
  private Optional<MeshTrial> attempt(
      PlannedTrial planned, String key, Path place, List<String> reasons)
      throws InterruptedException {
    Watcher watcher = new Watcher();
    Trial trial =
        new TrialRunner(options, watcher).run(planned.experiment(), planned.specification(), place);
    TrialAnalysis analysis = TrialAnalysis.of(trial);
    output.write(trial, analysis, watcher.warnings(), place);
    List<ValidityCheck> checks = new ArrayList<>(trial.validity());
    checks.add(MachineHadRoom.check(trial.samples(), TrialMeasure.run(trial)));
    List<String> failed =
        checks.stream()
            .filter(check -> !check.passed())
            .map(check -> check.check() + ": " + check.detail())
            .toList();
    if (!failed.isEmpty()) {
      reasons.add(String.join("; ", failed));
      return Optional.empty();
    }
    return Optional.of(TrialMeasure.done(planned, key, trial));
  }

  /** Whether this process is ending, so that what fails now fails because of it. */
  private static boolean isEnding() {
    Thread hook = Thread.ofPlatform().unstarted(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** A listener to one trial. */
  private final class Watcher implements TrialListener {
    private final List<String> warnings = new ArrayList<>();

    @Override
    public synchronized void warning(String text) {
      warnings.add(text);
      if (warned.add(text)) {
        listener.warning(text);
      }
    }

    @Override
    public void phase(TrialPhase phase) {
      listener.phase(phase);
    }

    @Override
    public void fault(Event fault) {
      listener.fault(fault);
    }

    @Override
    public void progress(String json) {
      listener.progress(json);
    }

    synchronized List<String> warnings() {
      return List.copyOf(warnings);
    }
  }
}
