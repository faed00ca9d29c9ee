package org.terrace.experiment;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.experiment.watch.LogParts;
import org.terrace.nodes.Supervisor;

/**
 * The servers of one configuration, on which trials run one after another that differ in their load
 * alone. They are started for the first of them. Each trial has its own ramp-up, users, monitors,
 * checks and logs; what it has written into the database stays for the next, and is in its record.
 *
 * <p>One trial at a time, confined to one thread. However it ends, {@link #close} leaves no
 * process.
 */
public final class SharedServers implements AutoCloseable {
  /** The most trials on the same servers. */
  public static final int MOST_TURNS = 100;

  private final Experiment deployed;
  private final TrialOptions options;
  private final Path logs;
  private final TimeSource time = TimeSource.system();
  private @Nullable TrialServers servers;
  private int turns;
  private long rowsAtStart;
  private long rows;
  private boolean spent;

  /**
   * Servers that are not started yet.
   *
   * @param first the first experiment that will run on them
   * @param logs the folder for what the servers print, new or empty
   * @throws IllegalArgumentException if it wants servers of its own
   */
  public SharedServers(Experiment first, TrialOptions options, Path logs) {
    if (!first.permitsSharedServers()) {
      throw new IllegalArgumentException(first.name() + " wants servers of its own");
    }
    this.deployed = first.asDeployed();
    this.options = options;
    this.logs = logs.toAbsolutePath();
  }

  /**
   * Whether an experiment may run on these servers next: it differs from those before in its load
   * alone, all servers are well, and the data are still about what they were.
   */
  public boolean serve(Experiment next) {
    TrialServers started = servers;
    return !spent
        && next.permitsSharedServers()
        && next.asDeployed().equals(deployed)
        && (started == null || started.areSound(deployed));
  }

  /**
   * Runs the next experiment, and leaves its results and its part of the logs in the directory.
   * After one that fails, or whose checks fail, the servers serve no other.
   *
   * @param specification the text the experiment was read from, kept beside the results
   * @throws IllegalStateException if the servers do not {@link #serve} it
   * @throws org.terrace.core.TerraceException if the machine lacks something, or a part fails
   */
  public Trial run(
      Experiment next, String specification, Path directory, TrialListener trialListener)
      throws InterruptedException {
    if (!serve(next)) {
      throw new IllegalStateException("these servers cannot serve " + next.name());
    }
    spent = true;
    TrialListener listener = new SynchronizedListener(trialListener);
    Path folder = directory.toAbsolutePath();
    ResultFolder.prepare(folder);
    ResultFolder.write(folder.resolve(Trial.SPECIFICATION_FILE), specification);
    LogParts parts = servers == null ? LogParts.all(logs) : LogParts.fromNow(logs);
    try (Supervisor users =
            new Supervisor(ResultFolder.logs(folder), TrialServers.mark(next), time);
        var _ = EndingHook.closing(users)) {
      TrialServers started = started(next, listener);
      Experiment experiment = started.calibrated(next);
      RunningTrial trial =
          new RunningTrial(experiment, specification, folder, started, options, listener, time);
      turns++;
      Trial done = trial.runShared(users, new SharedTurn(turns, rowsAtStart, rows, 0));
      SharedTurn turn = done.turn().orElseThrow();
      rows = turn.rowsBefore() + turn.rowsWritten();
      spent = turns == MOST_TURNS || turn.isLast() || !done.isValid();
      return done;
    } finally {
      parts.copyTo(ResultFolder.logs(folder));
    }
  }

  private TrialServers started(Experiment first, TrialListener listener)
      throws InterruptedException {
    TrialServers before = servers;
    if (before != null) {
      return before;
    }
    listener.phase(TrialPhase.CHECK);
    TrialRunner.requireReady(first, options.target());
    TrialServers started = new TrialServers(first, options, logs, listener, time);
    servers = started;
    started.warnings(first).forEach(listener::warning);
    started.start(listener);
    rowsAtStart = started.deployment().countRows();
    rows = rowsAtStart;
    return started;
  }

  /** Ends the servers, and deletes their data; the logs stay. May be called again. */
  @Override
  public void close() {
    TrialServers started = servers;
    spent = true;
    servers = null;
    if (started != null) {
      started.close();
    }
  }
}
