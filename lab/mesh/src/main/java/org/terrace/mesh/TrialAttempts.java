package org.terrace.mesh;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.SharedServers;
import org.terrace.experiment.SharedTurn;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialPhase;
import org.terrace.experiment.TrialRunner;
import org.terrace.observation.Event;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The runner of a mesh's trials, one after another: each is tried until it is valid, or was tried
 * often enough. Trials that share servers run on those of the trial before while these may serve
 * them; an attempt that fails ends them. Confined to one thread.
 */
final class TrialAttempts implements TrialWork {
  private final TrialOptions options;
  private final TrialOutput output;
  private final MeshListener listener;
  private final TimeSource time;
  private final BooleanSupplier ending;

  /** The warnings that were given, which most trials would repeat. */
  private final Set<String> warned = new HashSet<>();

  /** The turn on shared servers of the trial that ran last. */
  private Optional<SharedTurn> lastTurn = Optional.empty();

  /** Servers that wait for the next trial. */
  private @Nullable SharedServers shared;

  /** The configuration of the trial before, if its servers could not be run. */
  private @Nullable Configuration lacking;

  /** The failure of the servers of two configurations in succession, after which none is begun. */
  private @Nullable TerraceException lackOfAll;

  /** The folder in which these servers print. */
  private @Nullable MeshFolder printing;

  TrialAttempts(TrialOptions options, TrialOutput output, MeshListener listener, TimeSource time) {
    this(options, output, listener, time, TrialAttempts::isEnding);
  }

  /**
   * A runner in a process of which somebody knows whether it ends.
   *
   * @param ending whether this process is ending, so that what fails now fails because of it
   */
  TrialAttempts(
      TrialOptions options,
      TrialOutput output,
      MeshListener listener,
      TimeSource time,
      BooleanSupplier ending) {
    this.ending = ending;
    this.options = options;
    this.output = output;
    this.listener = listener;
    this.time = time;
  }

  @Override
  public TrialRow run(TrialTurn turn, MeshFolder folder) throws InterruptedException {
    if (lackOfAll != null) {
      throw lackOfAll;
    }
    MeshSpecification mesh = turn.mesh();
    PlannedTrial planned = turn.planned();
    String key = turn.key();
    List<String> reasons = new ArrayList<>(folder.failed(key));
    for (int attempt = 1; ; attempt++) {
      listener.begins(turn.number(), turn.trials(), planned, reasons.size() + 1);
      long start = time.elapsedNanos();
      Path place = folder.begin(key);
      Optional<MeshTrial> done;
      TerraceException lack = null;
      try {
        done = attempt(turn, folder, place, reasons);
      } catch (TerraceException e) {
        end();
        if (ending.getAsBoolean()) {
          throw e;
        }
        lack = e.code() == ErrorCode.CHECK_FAILED ? null : e;
        reasons.add(folder.relative(key, String.valueOf(e.getMessage())));
        done = Optional.empty();
      }
      if (done.isEmpty()) {
        end();
        requireGoingOn(reasons.getLast());
      }
      if (done.isPresent() || attempt == mesh.attempts()) {
        MeshTrial trial = done.orElseGet(() -> TrialMeasure.without(planned, key, Status.FAILED));
        double seconds = (time.elapsedNanos() - start) / 1e9;
        Optional<SharedTurn> onShared = done.flatMap(_ -> lastTurn);
        TrialRow row = new TrialRow(trial, reasons, seconds, turn.round().number(), onShared);
        folder.finish(key, row, mesh.keep());
        listener.ended(trial, row.reason());
        note(planned.configuration(), lack);
        return row;
      }
      listener.failed(planned, reasons.getLast());
      folder.setAside(key, reasons.getLast());
    }
  }

  /** Notes a trial that ended: what the servers of two configurations lack, those of all may. */
  private void note(Configuration configuration, @Nullable TerraceException lack) {
    if (lack != null && lacking != null && !lacking.equals(configuration)) {
      lackOfAll = lack;
    }
    lacking = lack == null ? null : configuration;
  }

  /** One attempt; empty if the trial is not valid, which is then among the reasons. */
  private Optional<MeshTrial> attempt(
      TrialTurn turn, MeshFolder folder, Path place, List<String> reasons)
      throws InterruptedException {
    Watcher watcher = new Watcher();
    PlannedTrial planned = turn.planned();
    Trial ran = run(planned, folder, place, watcher);
    lastTurn = ran.turn();
    // Before anything is written: whoever reads the trial by itself sees all that it was judged by.
    Trial trial =
        ran.judged(MachineHadRoom.check(ran.samples(), ran.machines(), TrialMeasure.run(ran)));
    TrialAnalysis analysis = TrialAnalysis.of(trial);
    output.write(trial, analysis, watcher.warnings(), place);
    List<String> failed =
        trial.validity().stream()
            .filter(check -> !check.passed())
            .map(check -> check.check() + ": " + check.detail())
            .toList();
    if (!failed.isEmpty()) {
      reasons.add(folder.relative(turn.key(), String.join("; ", failed)));
      return Optional.empty();
    }
    return Optional.of(TrialMeasure.done(planned, turn.key(), trial));
  }

  /** Runs a trial on servers of its own, or on shared ones, which are then there for the next. */
  private Trial run(PlannedTrial planned, MeshFolder folder, Path place, Watcher watcher)
      throws InterruptedException {
    if (!planned.sharesServers()) {
      end();
      return new TrialRunner(options, watcher)
          .run(planned.experiment(), planned.specification(), place);
    }
    SharedServers servers = shared;
    if (servers == null || !servers.serve(planned.experiment())) {
      end();
      servers = new SharedServers(planned.experiment(), options, folder.beginServers());
      printing = folder;
      shared = servers;
    }
    return servers.run(planned.experiment(), planned.specification(), place, watcher);
  }

  @Override
  public List<String> failedConditions(
      MeshSpecification mesh, List<MeshTrial> trials, Path directory) {
    return output.failedConditions(mesh, trials, directory);
  }

  @Override
  public void end() {
    SharedServers ending = shared;
    MeshFolder folder = printing;
    shared = null;
    printing = null;
    if (ending != null) {
      ending.close();
    }
    if (folder != null) {
      folder.endServers();
    }
  }

  /** A trial whose servers this process ends as it ends itself may fail its checks, too. */
  private void requireGoingOn(String reason) {
    if (ending.getAsBoolean()) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "interrupted: the attempt at a trial that was under way does not count (" + reason + ")");
    }
  }

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
