package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.watch.BackendHistory;
import org.terrace.experiment.watch.ReplicaHistory;
import org.terrace.hosts.HostFacts;
import org.terrace.hosts.ServerHost;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialWatch;
import org.terrace.nodes.Node;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.monitor.Resources;

/**
 * The servers of one configuration while trials use them, one trial at a time. What they print goes
 * to the trial of the moment. Confined to one thread, but for the lines that servers print.
 */
final class TrialServers implements AutoCloseable {
  private final TrialHosts hosts;
  private final Supervisor supervisor;
  private final EndingHook hook;
  private final BackendHistory backends;
  private final ReplicaHistory replicas;
  private final boolean storageIsLimited;
  private final boolean limitsRequired;
  private final Map<String, Double> slowdowns;
  private final Deployment deployment;
  private volatile BiConsumer<String, String> reader = (server, line) -> {};

  /** Whether any server said that it lost another, whoever listened then. */
  private volatile boolean lossTold;

  /**
   * @param logs the folder of what servers print; it exists
   */
  TrialServers(
      Experiment experiment,
      TrialOptions options,
      Path logs,
      TrialListener listener,
      TimeSource time) {
    this.hosts = Deployment.openHosts(experiment, options, logs, listener, time);
    this.supervisor = new Supervisor(logs, mark(experiment), time);
    this.backends = new BackendHistory(experiment.proxies());
    this.replicas = replicas(experiment);
    this.limitsRequired = options.limitsRequired();
    this.storageIsLimited = !experiment.diskBytesPerSecond().isEmpty();
    this.hook = EndingHook.running(this::endProcesses);
    try {
      this.slowdowns = slowdowns(experiment, server -> hosts.of(server).host(), listener::message);
      this.deployment =
          new Deployment(calibrated(experiment), logs, supervisor, hosts, this::printed);
    } catch (RuntimeException e) {
      hook.close();
      closeAll(List.of(supervisor::close, hosts::close));
      throw e;
    }
  }

  /** A history of an experiment's databases on these servers, in which nothing is lost. */
  ReplicaHistory replicas(Experiment experiment) {
    return new ReplicaHistory(Deployment.servers(experiment, hosts), experiment.clusterOwners());
  }

  /** An experiment with its calibrated limits in cores of the machines that its servers are on. */
  Experiment calibrated(Experiment specified) {
    return specified.on(server -> slowdowns.getOrDefault(server, 1.0));
  }

  /**
   * The machines of a trial, that of the users first: of hosts with the same processors of one
   * machine there is one. What runs on a host counts wherever the host's processors are among the
   * machine's.
   *
   * @param runner the host of the users
   * @param hosts the hosts of the nodes
   * @param cores gives the cores that a node may use
   */
  static List<TrialMachine> machines(
      ServerHost runner, SortedMap<String, ServerHost> hosts, ToDoubleFunction<String> cores) {
    List<ServerHost> firsts = new ArrayList<>(List.of(runner));
    for (ServerHost host : hosts.values()) {
      if (firsts.stream().noneMatch(first -> host.facts().hasSameProcessors(first.facts()))) {
        firsts.add(host);
      }
    }
    return firsts.stream().map(first -> machine(runner, first, hosts, cores)).toList();
  }

  private static TrialMachine machine(
      ServerHost runner,
      ServerHost first,
      SortedMap<String, ServerHost> hosts,
      ToDoubleFunction<String> cores) {
    Map<String, Double> nodes = new TreeMap<>();
    Set<String> sharing = new TreeSet<>();
    hosts.forEach((node, host) -> {
      if (host.facts().isWithinProcessors(first.facts())) {
        nodes.put(node, cores.applyAsDouble(node));
      } else if (host.facts().sharesProcessors(first.facts())) {
        sharing.add(node);
      }
    });
    return new TrialMachine(
        first.equals(runner) ? "this machine" : "the host " + first.name(),
        first.equals(runner) ? Resources.MACHINE : TrialWatch.machineNode(first),
        first.facts().cores(),
        first.facts().quota(),
        nodes,
        sharing);
  }

  /**
   * The multiples of the reference machine's time that the processors of servers with calibrated
   * limits take, each measured on a host that has them, once.
   *
   * @param told told of each such server's limit
   */
  static Map<String, Double> slowdowns(
      Experiment experiment, Function<String, ServerHost> hostOf, Consumer<String> told) {
    Map<List<Object>, Double> ofProcessors = new HashMap<>();
    Map<String, Double> ofServers = new TreeMap<>();
    for (String server : experiment.calibratedServers()) {
      ServerHost host = hostOf.apply(server);
      List<Object> processors = List.of(host.facts().machine(), host.facts().processors());
      ofServers.put(server, ofProcessors.computeIfAbsent(processors, _ -> host.slowdown()));
    }
    Experiment here = experiment.on(server -> ofServers.getOrDefault(server, 1.0));
    ofServers.forEach((server, slowdown) ->
        told.accept(
            String.format(
                Locale.ROOT,
                "limit calibrated: %s has %.2f cores, since a core of the host %s takes %.2f times the reference's time",
                server,
                Objects.requireNonNull(here.cpuLimits().get(server)).cores(),
                hostOf.apply(server).name(),
                slowdown)));
    return ofServers;
  }

  /**
   * Does one after the other, whatever becomes of those before: a host that is lost must not keep
   * the others' servers running.
   *
   * @throws RuntimeException the first failure, afterwards
   */
  static void closeAll(List<Runnable> ends) {
    RuntimeException first = null;
    for (Runnable end : ends) {
      try {
        end.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** A word in the environment of every process of an experiment's trial. */
  static String mark(Experiment experiment) {
    return experiment.name() + "-" + ProcessHandle.current().pid();
  }

  /** Starts databases, data and servers. */
  void start(TrialListener listener) throws InterruptedException {
    startDatabases(listener);
    listener.phase(TrialPhase.SERVERS);
    deployment.startServers();
  }

  /** Starts the databases and fills them. */
  void startDatabases(TrialListener listener) throws InterruptedException {
    hosts.requireFree();
    listener.phase(TrialPhase.DATABASE);
    deployment.startDatabase();
    listener.phase(TrialPhase.DATA);
    deployment.loadData();
  }

  private void printed(String server, String line) {
    if (backends.tellsLoss(server, line) || replicas.tellsLoss(server, line)) {
      lossTold = true;
    }
    reader.accept(server, line);
  }

  /** Hands what servers print from now on, the server's name first, to this reader alone. */
  void read(BiConsumer<String, String> lines) {
    reader = lines;
  }

  Deployment deployment() {
    return deployment;
  }

  /**
   * The owner of the servers' processes, and of those of their load where they are a trial's own.
   */
  Supervisor supervisor() {
    return supervisor;
  }

  /** The hosts that they run on. */
  TrialHosts hosts() {
    return hosts;
  }

  /**
   * The sentences that a user should know of the limits.
   *
   * @throws TerraceException if limits are required and a host of servers has none
   */
  List<String> warnings(Experiment experiment) {
    if (limitsRequired) {
      experiment.topology().serverNames().stream()
          .map(server -> hosts.of(server).host())
          .forEach(host -> refused(experiment, host.facts()).ifPresent(why -> refuse(host, why)));
    }
    return hosts.all().stream()
        .map(ServerHost::facts)
        .flatMap(
            host -> Stream.concat(refused(experiment, host).stream(), host.leftovers().stream()))
        .toList();
  }

  private static void refuse(ServerHost host, String why) {
    throw new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the host %s does not limit processors, as the results would say of its servers: %s\nTake the limits and node types out of the specification, or permit them there."
            .formatted(host.name(), why));
  }

  private static Optional<String> refused(Experiment experiment, HostFacts host) {
    return experiment.cpuLimits().isEmpty() ? Optional.empty() : host.limitWarning();
  }

  /** Lifts the limits of all servers until the next run begins. */
  void liftLimits() {
    hosts.all().forEach(ServerHost::liftLimits);
  }

  /** Whether all servers run, and none of them has ever missed another. */
  boolean areSound(Experiment experiment) {
    return !lossTold
        && experiment.topology().serverNames().stream()
            .map(deployment::node)
            .allMatch(Node::isAlive);
  }

  /** Ends all processes; their data and logs stay for a look. */
  void stop() {
    endProcesses();
  }

  /**
   * Ends all processes. A database writes all it has before it ends, and whoever waits for storage
   * ends no sooner than that answers, so limits of storage are lifted before.
   */
  private void endProcesses() {
    for (ServerHost host : storageIsLimited ? hosts.all() : List.<ServerHost>of()) {
      try {
        host.liftLimits();
      } catch (TerraceException e) {
        assert e != null; // a host that is lost ends its servers by itself
      }
    }
    supervisor.close();
  }

  /** Ends all processes, and deletes the databases' data. */
  @Override
  public void close() {
    reader = (server, line) -> {};
    closeAll(List.of(this::endProcesses, deployment::close, hosts::close, hook::close));
  }
}
