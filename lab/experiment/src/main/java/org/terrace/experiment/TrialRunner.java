package org.terrace.experiment;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.web.ApacheServer;
import org.terrace.hosts.NdbLikePackages;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;
import org.terrace.nodes.Endpoints;
import org.terrace.nodes.setting.ProgramNode;
import org.terrace.nodes.setting.WebServer;

/**
 * The runner of one trial, an experiment run once: it deploys the servers, loads and breaks them,
 * watches, stops everything, and collects what was seen. However it ends, no process it started is
 * left.
 *
 * <p>One trial at a time in one network; trials in different networks may run side by side.
 */
public final class TrialRunner {
  private final TrialOptions options;
  private final TrialListener listener;
  private final TimeSource time;

  /** A runner for the programs that the options name. */
  public TrialRunner(TrialOptions options, TrialListener listener) {
    this.options = options;
    this.listener = new SynchronizedListener(listener);
    this.time = TimeSource.system();
  }

  /**
   * Runs the experiment, and leaves {@value Trial#FILE}, the capture and the logs in the directory.
   *
   * @param specified the experiment; limits that are to be calibrated are by the speed of each
   *     server's machine
   * @param specification the text the experiment was read from, kept beside the results
   * @throws TerraceException if the machine lacks something, or a part of the trial fails
   */
  public Trial run(Experiment specified, String specification, Path directory)
      throws InterruptedException {
    listener.phase(TrialPhase.CHECK);
    requireReady(specified, options.target());
    Path folder = directory.toAbsolutePath();
    ResultFolder.prepare(folder);
    ResultFolder.write(folder.resolve(Trial.SPECIFICATION_FILE), specification);
    try (TrialServers servers =
        new TrialServers(specified, options, ResultFolder.logs(folder), listener, time)) {
      Experiment experiment = servers.calibrated(specified);
      return new RunningTrial(experiment, specification, folder, servers, options, listener, time)
          .run();
    }
  }

  /**
   * Fails when the machine lacks what the servers of an experiment need before they start. What
   * other hosts lack they tell themselves.
   */
  static void requireReady(Experiment experiment, Target target) {
    target.requireNetworkLimits(experiment.networkBytesPerSecond().keySet());
    if (target instanceof Target.Ssh) {
      return;
    }
    if (experiment.web() == WebServer.APACHE) {
      ApacheServer.requireInstalled();
    }
    experiment.programs().forEach(ProgramNode::requireThere);
  }

  /** The hosts of a target on which the servers of an experiment run, by the names of these. */
  public static Map<String, SshHost> hosts(Experiment experiment, Target.Ssh target) {
    return target.hostsOf(Deployment.planned(experiment));
  }

  /** Whether nobody listens at any address that an experiment's servers have on this machine. */
  public static boolean addressesAreFree(Experiment experiment) {
    try {
      Endpoints.requireFree(Deployment.endpoints(experiment));
      return true;
    } catch (TerraceException e) {
      return false;
    }
  }

  /**
   * A sentence about what this machine lacks to run a database, and the way to it; empty when it
   * lacks nothing.
   *
   * @param database its name in a specification
   */
  public static Optional<String> lackingFor(String database) {
    return database.equals(Experiment.NDB_LIKE) ? NdbLikePackages.lacking() : Optional.empty();
  }
}
