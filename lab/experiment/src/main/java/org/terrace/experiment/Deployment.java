package org.terrace.experiment;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.terrace.core.TimeSource;
import org.terrace.evidence.MonotonicClock;
import org.terrace.evidence.PauseLog;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.machine.ControlGroup;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.nodes.monitor.ResourceMonitor.Target;
import org.terrace.observation.Event;
import org.terrace.observation.Server;

/**
 * The servers of one trial: how each is started, and the process that plays it now. Thread-safe
 * once all servers have been started.
 */
final class Deployment implements AutoCloseable {
  private final Experiment experiment;
  private final Path logs;
  private final Supervisor supervisor;
  private final CpuLimits limits;
  private final BiConsumer<String, String> printed;
  private final DatabaseTier databases;
  private final ServerPrograms programs;
  private final Map<String, Node> current = new ConcurrentHashMap<>();
  private final Map<String, ControlGroup> groups = new ConcurrentHashMap<>();
  private final Map<String, List<Path>> pauseLogs = new ConcurrentHashMap<>();

  /**
   * @param printed told of every line that a server prints, with the server's name first
   */
  Deployment(
      Experiment experiment,
      TrialOptions options,
      Path logs,
      Supervisor supervisor,
      CpuLimits limits,
      BiConsumer<String, String> printed) {
    this.experiment = experiment;
    this.logs = logs;
    this.supervisor = supervisor;
    this.limits = limits;
    this.printed = printed;
    this.databases = new DatabaseTier(experiment, options, logs, supervisor);
    this.programs = new ServerPrograms(experiment, options, logs, databases, this::pauseLog);
  }

  /** Every address that the servers of an experiment listen at. */
  static List<Endpoint> endpoints(Experiment experiment) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        String address = tier.address(experiment.network(), number);
        endpoints.add(new Endpoint(tier.serverName(number), address, experiment.port(tier)));
      }
    }
    return endpoints;
  }

  /** The servers of an experiment, from the web to the database. */
  static List<Server> servers(Experiment experiment) {
    List<Server> servers = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        String where = tier.address(experiment.network(), number) + ":" + experiment.port(tier);
        servers.add(new Server(tier.serverName(number), tier.label(), List.of(where)));
      }
    }
    return servers;
  }

  /** Starts the database; several have to have their data first. */
  void startDatabase() throws InterruptedException {
    if (experiment.hasDatabase() && !databases.isCluster()) {
      databases.initialise();
      startDatabases();
    }
  }

  void loadData() throws InterruptedException {
    if (experiment.program(Tier.APP).isPresent()) {
      return; // whose tables are its own affair
    }
    if (databases.isCluster()) {
      databases.makeCopies();
      startDatabases();
    } else {
      databases.load();
    }
  }

  private void startDatabases() throws InterruptedException {
    startAll(Tier.DATABASE);
  }

  /** Starts the servers behind first: a web server checks those that it asks. */
  void startServers() throws InterruptedException {
    if (experiment.program(Tier.DATABASE).isPresent()) {
      startAll(Tier.DATABASE);
    }
    startAll(Tier.MIDDLEWARE);
    startAll(Tier.APP);
    startAll(Tier.WEB);
  }

  private void startAll(Tier tier) throws InterruptedException {
    List<Node> starting = new ArrayList<>();
    for (int number = 1; number <= experiment.topology().count(tier); number++) {
      starting.add(start(tier, number));
    }
    for (Node node : starting) {
      supervisor.awaitReady(node);
    }
  }

  /** Compares the rows of several databases, in lines; empty: there is one. */
  Optional<List<String>> compareDatabases() throws InterruptedException {
    return databases.isReplicated() ? Optional.of(databases.compare()) : Optional.empty();
  }

  /** Counts the rows of the database, or of the first of several. */
  long countRows() throws InterruptedException {
    return databases.countRows();
  }

  /** Starts a server again after its process has ended, without waiting until it is ready. */
  void restart(String server) {
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        if (tier.serverName(number).equals(server)) {
          start(tier, number);
        }
      }
    }
  }

  private Node start(Tier tier, int number) {
    String name = tier.serverName(number);
    NodeSpecification specification = programs.specification(tier, number);
    Optional<ControlGroup> group = group(tier, number);
    if (group.isPresent()) {
      specification = specification.withCommand(group.get().command(specification.command()));
    }
    Node node = supervisor.start(specification);
    node.listen(line -> printed.accept(name, line));
    current.put(name, node);
    return node;
  }

  /** The control group of a server that has a limit; its processes share it over restarts. */
  private Optional<ControlGroup> group(Tier tier, int number) {
    OptionalDouble cores = experiment.cpuLimit(tier, number);
    if (cores.isEmpty()) {
      return Optional.empty();
    }
    String name = tier.serverName(number);
    if (!groups.containsKey(name)) {
      limits
          .limit(name, cores.getAsDouble())
          .ifPresent(group -> {
            // A JVM compiles for longer than a ramp-up lasts where it is held back:
            // docs/decisions/0265.
            group.suspend();
            groups.put(name, group);
            supervisor.removeAtEnd(group.folder());
          });
    }
    return Optional.ofNullable(groups.get(name));
  }

  /** The control groups of the servers that have one, by the server's name. */
  Map<String, ControlGroup> groups() {
    return Map.copyOf(groups);
  }

  /** Starts the helper that disturbs a database server, and waits until it is ready. */
  Node startBreaker(String server) throws InterruptedException {
    int number = Integer.parseInt(server.substring(Tier.DATABASE.label().length()));
    Node node = supervisor.start(databases.breaker(number));
    node.listen(line -> printed.accept(server, line));
    supervisor.awaitReady(node);
    return node;
  }

  /** Each process of a server gets a log of its own: a JVM truncates a file it finds. */
  private Path pauseLog(String name) {
    List<Path> files = pauseLogs.computeIfAbsent(name, server -> new ArrayList<>());
    String suffix = files.isEmpty() ? "" : "-" + (files.size() + 1);
    Path file = logs.resolve(name + suffix + ".gc.log");
    files.add(file);
    return file;
  }

  /** The process that plays a server now. */
  Node node(String server) {
    Node node = current.get(server);
    if (node == null) {
      throw new IllegalStateException(server + " has not been started");
    }
    return node;
  }

  /** The endpoints at which users send their requests. */
  List<Endpoint> entrances() {
    Tier entrance = experiment.topology().web() > 0 ? Tier.WEB : Tier.APP;
    return endpoints(experiment).stream()
        .filter(endpoint -> endpoint.server().startsWith(entrance.label()))
        .toList();
  }

  /** The target of the watch of each server. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        String name = tier.serverName(number);
        double cores = Runtime.getRuntime().availableProcessors();
        double allowed = Math.min(cores, experiment.cpuLimit(tier, number).orElse(cores));
        targets.add(new Target(name, allowed, () -> node(name).members()));
      }
    }
    return List.copyOf(targets);
  }

  /**
   * The addresses at which the servers tell how much of their pools is in use, by the server's
   * name.
   */
  Map<String, URI> metrics() {
    Map<String, URI> metrics = new HashMap<>();
    if (experiment.program(Tier.APP).isPresent()) {
      return metrics;
    }
    for (int number = 1; number <= experiment.topology().app(); number++) {
      metrics.put(
          Tier.APP.serverName(number),
          URI.create("http://" + programs.metricsPlace(number) + "/metrics"));
    }
    return metrics;
  }

  /** The pauses of all JVMs. */
  List<Event> pauses(TimeSource time) {
    MonotonicClock clock = MonotonicClock.measure(time);
    List<Event> events = new ArrayList<>();
    pauseLogs.forEach((server, files) ->
        files.forEach(file -> events.addAll(PauseLog.read(file, server, clock))));
    return events;
  }

  /** Deletes the databases' data; their processes have to be gone. */
  @Override
  public void close() {
    databases.close();
  }
}
