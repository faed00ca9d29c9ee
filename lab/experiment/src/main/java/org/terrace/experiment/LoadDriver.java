package org.terrace.experiment;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.hosts.TrialHosts;
import org.terrace.load.LoadPace;
import org.terrace.load.LoadPlan;
import org.terrace.load.LoadProcess;
import org.terrace.load.LoadResult;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.ThinkTime;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.setting.Collector;

/**
 * The process that plays the users of one trial, and what it prints: {@code progress JSON} each
 * second, and {@code phase NAME START END} for each phase. Thread-safe.
 */
final class LoadDriver {
  /** The name of the node, beside those of servers. */
  static final String NAME = "load";

  private static final String USER_ADDRESS = ".9.1";
  private static final Duration BEYOND_PHASES = Duration.ofSeconds(60);

  private final Experiment experiment;
  private final TrialHosts hosts;
  private final Path folder;
  private final TrialListener listener;
  private final CompletableFuture<Long> runStart = new CompletableFuture<>();

  LoadDriver(Experiment experiment, TrialHosts hosts, Path folder, TrialListener listener) {
    this.experiment = experiment;
    this.hosts = hosts;
    this.folder = folder;
    this.listener = listener;
  }

  /** The loopback address of the users of an experiment all of which runs on this machine. */
  static String userAddress(Experiment experiment) {
    return experiment.network() + USER_ADDRESS;
  }

  private LoadPlan plan(List<Endpoint> entrances) {
    List<URI> targets =
        entrances.stream()
            .map(entrance -> URI.create("http://" + entrance.address() + ":" + entrance.port()))
            .toList();
    LoadPlan.Model model =
        switch (experiment.load()) {
          case Load.Closed closed -> new LoadPlan.Closed(closed.users());
          case Load.Open open -> LoadPlan.Open.poisson(open.requestsPerSecond());
        };
    ThinkTime think =
        switch (experiment.load()) {
          case Load.Closed(int users, Distribution.Exponential(Duration mean)) ->
              new ThinkTime.Exponential(mean);
          case Load.Closed(int users, Distribution.Constant(Duration mean)) ->
              new ThinkTime.Constant(mean);
          case Load.Open open -> ThinkTime.RUBBOS;
        };
    Phases phases = experiment.phases();
    LoadPlan simple =
        LoadPlan.of(
            targets.getFirst(),
            model,
            think,
            mix(),
            new LoadPlan.Phases(phases.rampUp(), phases.run(), phases.rampDown()),
            experiment.seed(),
            hosts.userAddress(),
            folder);
    return new LoadPlan(
        targets,
        simple.model(),
        simple.think(),
        simple.thinkOverrides(),
        simple.mix(),
        simple.phases(),
        pace(),
        simple.seed(),
        simple.sourceAddresses(),
        simple.limits(),
        simple.output());
  }

  /** The name of the mix, or the file of one that the specification has in it. */
  private String mix() {
    if (experiment.requests().isEmpty()) {
      return experiment.mix();
    }
    Path file = folder.resolve("mix.json");
    ResultFolder.write(file, Mix.requestsToText(experiment.name(), experiment.requests()));
    return file.toString();
  }

  /** The load's own bursts, drawn by the seed, and those that were planned as faults. */
  private LoadPace pace() {
    LoadPace own =
        experiment
            .bursts()
            .map(bursts -> bursts.draw(experiment.phases().run(), experiment.seed()))
            .orElse(LoadPace.STEADY);
    List<LoadPace.Burst> planned = new ArrayList<>();
    for (Fault fault : experiment.faults()) {
      if (fault instanceof Fault.Burst burst) {
        for (Duration at : burst.schedule().moments()) {
          planned.add(new LoadPace.Burst(at, burst.lasting(), burst.factor(), true));
        }
      }
    }
    return own.with(planned);
  }

  /** Starts the users. */
  Node start(Supervisor supervisor, TrialOptions options, List<Endpoint> entrances, Path logs) {
    Path file = folder.resolve("plan.json");
    LoadPlan plan = plan(entrances);
    plan.write(file);
    List<String> command =
        ServerDefaults.command(
            options.java(),
            Collector.SERIAL,
            LoadProcess.jvmOptions(plan),
            logs.resolve("load.gc.log"),
            options.loadClasspath(),
            LoadProcess.class.getName(),
            List.of(file.toString()));
    Node node =
        supervisor.start(
            NodeSpecification.of(NAME, command, new Readiness.AtOnce(), BEYOND_PHASES),
            hosts.runner());
    node.listen(this::printed);
    return node;
  }

  private void printed(String line) {
    if (line.startsWith("progress ")) {
      listener.progress(line.substring("progress ".length()));
    } else if (line.startsWith("phase ")) {
      String[] words = line.split(" ", -1);
      if (words.length == 4) {
        phase(words[1], Long.parseLong(words[2]));
      }
    }
  }

  private void phase(String name, long startNanos) {
    switch (name) {
      case "ramp-up" -> listener.phase(TrialPhase.RAMP_UP);
      case "run" -> {
        listener.phase(TrialPhase.RUN);
        runStart.complete(startNanos);
      }
      case "ramp-down" -> listener.phase(TrialPhase.RAMP_DOWN);
      default -> listener.message("the load generator is in phase " + name);
    }
  }

  /** Completes with the start of the run, in nanoseconds since the Unix epoch. */
  CompletableFuture<Long> runStart() {
    return runStart;
  }

  /** Waits until the users have gone, and reads what they left behind. */
  LoadResult await(Node node) throws InterruptedException {
    Duration limit = experiment.phases().total().plus(BEYOND_PHASES);
    try {
      int status = node.exit().get(limit.toMillis(), TimeUnit.MILLISECONDS).status();
      if (status != 0) {
        boolean lacks = status == ErrorCode.MACHINE_LACKS.exitCode();
        throw failure(
            node,
            lacks ? ErrorCode.MACHINE_LACKS : ErrorCode.CHECK_FAILED,
            "ended with exit status " + status);
      }
      return LoadResult.read(folder);
    } catch (TimeoutException e) {
      throw failure(node, ErrorCode.CHECK_FAILED, "did not end within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TerraceException failure(Node node, ErrorCode code, String what) {
    return new TerraceException(
        code,
        "the load generator "
            + what
            + "; the end of its log "
            + node.logFile()
            + ":\n"
            + node.logTail());
  }
}
