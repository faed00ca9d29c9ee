package org.terrace.mesh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.terrace.core.CountedNoun;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.ResultFolder;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.hosts.Target;
import org.terrace.scaling.search.SearchChoice;
import org.terrace.specification.Keep;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The runner of a mesh: it runs the trials that the directory does not have yet, or those of them
 * that the mesh's search asks for, one after another, and leaves their rows in {@value
 * MeshFile#NAME}. However it ends, no process it started is left, and what was done stays: the next
 * command goes on from there.
 *
 * <p>A trial that fails, or is not valid, is tried again, and then recorded with its logs; a
 * command that follows one which was not interrupted tries it once more.
 */
public final class MeshRunner {
  /** The shortest time between two writings of the mesh's file, which grows with every trial. */
  private static final long WRITE_NANOS = Duration.ofSeconds(10).toNanos();

  /** The longest time that servers of a killed command take to be gone. */
  private static final Duration LEFTOVERS_WITHIN = Duration.ofSeconds(20);

  private static final Duration LEFTOVERS_PAUSE = Duration.ofMillis(200);

  private final Function<MeshSpecification, Surroundings> surroundings;
  private final TrialWork work;
  private final MeshListener listener;
  private final TimeSource time;
  private final Target target;

  /** A runner of the programs that the options name. */
  public MeshRunner(TrialOptions options, TrialOutput output, MeshListener listener) {
    this(
        mesh -> Surroundings.of(options, mesh),
        new TrialAttempts(options.withLimitsRequired(), output, listener, TimeSource.system()),
        listener,
        TimeSource.system(),
        options.target());
  }

  /** A runner of trials that something else runs. */
  MeshRunner(
      Function<MeshSpecification, Surroundings> surroundings,
      TrialWork work,
      MeshListener listener,
      TimeSource time) {
    this(surroundings, work, listener, time, new Target.Local());
  }

  /**
   * A runner of trials that knows where servers are limited.
   *
   * @param target where the servers run, which have to be limited there
   */
  private MeshRunner(
      Function<MeshSpecification, Surroundings> surroundings,
      TrialWork work,
      MeshListener listener,
      TimeSource time,
      Target target) {
    this.target = target;
    this.surroundings = surroundings;
    this.work = work;
    this.listener = listener;
    this.time = time;
  }

  /** The work that a mesh has in a directory, without doing any of it. */
  public MeshForecast forecast(MeshSpecification mesh, Path directory) {
    UsableDirectory.require(directory);
    MeshRows rows = MeshRows.read(directory, mesh, surroundings.apply(mesh));
    for (MeshDamage damage : rows.damages()) {
      listener.warning(damage.fault() + "; a run sets it aside and makes anew what it was");
    }
    return forecast(mesh, directory, rows);
  }

  private static MeshForecast forecast(MeshSpecification mesh, Path directory, MeshRows rows) {
    List<MeshForecast.Spent> spent = new ArrayList<>();
    long bytes = 0;
    for (TrialRow row : rows.done()) {
      String key = row.trial().key();
      long taken = KeptFiles.bytes(directory.resolve(MeshFolder.relative(key)));
      double phases = MeshForecast.Spent.phaseSeconds(rows.planned(key));
      spent.add(new MeshForecast.Spent(row.wallSeconds() - phases, taken));
      bytes += taken;
    }
    int most = rows.course().mostLeft(rows.counted());
    return MeshForecast.of(mesh, rows.left(), most, spent, bytes);
  }

  /**
   * Runs what is not done yet: all of it, or what the mesh's search asks for.
   *
   * @param specification the text the mesh was read from, kept beside the results
   * @return all trials in the order of the specification, and what they say
   * @throws TerraceException if the machine lacks something that no trial can do without, another
   *     command works in the directory, or the command is interrupted
   */
  public MeshResults run(MeshSpecification mesh, String specification, Path directory)
      throws InterruptedException {
    LimitsHere.require(mesh, target);
    Surroundings here = surroundings.apply(mesh);
    // Read before the keys are made of them, so that a change since then is seen.
    ProgramFiles programs = here.files().and(ProgramFiles.of(Programs.own(mesh)));
    try (MeshFolder folder = MeshFolder.open(directory)) {
      if (folder.removeUnfinished()) {
        awaitEndOfLeftovers(mesh);
      }
      folder.watch(programs, here.hosts());
      MeshRows rows = MeshRows.read(folder.directory(), mesh, here);
      folder.setAside(rows.damages()).forEach(listener::warning);
      rows.before().ifPresent(before -> warnOfAnotherMachine(before, here.machine()));
      tellOfOthers(folder, rows);
      MeshForecast forecast = forecast(mesh, folder.directory(), rows);
      listener.plan(forecast);
      ResultFolder.write(folder.directory().resolve(Trial.SPECIFICATION_FILE), specification);
      rows.write(folder.directory());
      try {
        runAll(mesh, rows, folder, forecast);
        rows.judged(
            work.failedConditions(mesh, rows.results().mesh().trials(), folder.directory()));
      } finally {
        work.end();
        rows.write(folder.directory());
      }
      return rows.results();
    }
  }

  private void runAll(
      MeshSpecification mesh, MeshRows rows, MeshFolder folder, MeshForecast forecast)
      throws InterruptedException {
    keepWithin(folder, mesh.keep());
    int trials = forecast.done() + forecast.most();
    int number = forecast.done();
    long written = time.elapsedNanos();
    Optional<SearchChoice> next = rows.course().next(rows.counted());
    while (next.isPresent()) {
      String key = rows.key(next.get().candidate());
      number++;
      if (!next.get().reason().isEmpty()) {
        listener.chosen(next.get().reason());
      }
      rows.put(
          key,
          work.run(
              new TrialTurn(mesh, rows.planned(key), key, number, trials, rows.round()), folder));
      if (time.elapsedNanos() - written > WRITE_NANOS) {
        rows.write(folder.directory());
        written = time.elapsedNanos();
      }
      keepWithin(folder, mesh.keep());
      next = rows.course().next(rows.counted());
    }
  }

  private void warnOfAnotherMachine(MeshResults results, Map<String, String> machine) {
    Map<String, String> before = results.mesh().machine();
    TreeSet<String> names = new TreeSet<>(machine.keySet());
    names.addAll(before.keySet());
    // The hosts of trials that the file did not have before, or has no more, change no other trial.
    names.removeIf(name ->
        name.startsWith(Surroundings.HOST)
            && !(machine.containsKey(name) && before.containsKey(name)));
    String changes =
        names.stream()
            .filter(name -> !machine.getOrDefault(name, "").equals(before.getOrDefault(name, "")))
            .map(name -> name + " was " + before.get(name) + " and is " + machine.get(name))
            .collect(Collectors.joining("; "));
    if (!changes.isEmpty()) {
      listener.warning(
          "the machine is another than that of the trials that are here, and figures of two"
              + " machines are not mixed: every trial is run again ("
              + changes
              + ")");
    }
  }

  private void tellOfOthers(MeshFolder folder, MeshRows rows) {
    int others = folder.others(rows.keys()).size();
    if (others > 0) {
      listener.message(
          CountedNoun.of(others, "trial")
              + " of another specification, other programs or another machine "
              + (others == 1
                  ? "stays in trials/, and is not in "
                  : "stay in trials/, and are not in ")
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
}
