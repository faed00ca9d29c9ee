package org.terrace.experiment;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.terrace.core.TimeSource;
import org.terrace.evidence.MonotonicClock;
import org.terrace.evidence.PauseLog;
import org.terrace.hosts.HostClock;
import org.terrace.hosts.PlannedServer;
import org.terrace.hosts.ServerHost;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.hosts.WatchPlan;
import org.terrace.hosts.WatchPlan.Watched;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.nodes.setting.TierProgram;
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
  private final TrialHosts hosts;
  private final BiConsumer<String, String> printed;
  private final DatabaseTier databases;
  private final ServerPrograms programs;
  private final Map<String, Node> current = new ConcurrentHashMap<>();
  private final Map<String, List<Path>> pauseLogs = new ConcurrentHashMap<>();

  /**
   * @param printed told of every line that a server prints, with the server's name first
   */
  Deployment(
      Experiment experiment,
      Path logs,
      Supervisor supervisor,
      TrialHosts hosts,
      BiConsumer<String, String> printed) {
    this.experiment = experiment;
    this.logs = logs;
    this.supervisor = supervisor;
    this.hosts = hosts;
    this.printed = printed;
    this.databases = new DatabaseTier(experiment, hosts, supervisor);
    this.programs = new ServerPrograms(experiment, hosts, databases, this::pauseLog);
  }

  /** Every address that the servers of an experiment listen at on this machine. */
  static List<Endpoint> endpoints(Experiment experiment) {
    return planned(experiment).stream()
        .map(server -> new Endpoint(server.name(), server.address(), server.port()))
        .toList();
  }

  /** Opens the hosts on which an experiment runs. */
  static TrialHosts openHosts(
      Experiment experiment,
      TrialOptions options,
      Path logs,
      TrialListener listener,
      TimeSource time) {
    return TrialHosts.open(
        new TrialHosts.Setting(
            options.target(),
            experiment.network(),
            planned(experiment),
            LoadDriver.userAddress(experiment),
            options.programs(),
            logs),
        time,
        listener::message);
  }

  /** The servers of an experiment as hosts are found for them. */
  static List<PlannedServer> planned(Experiment experiment) {
    List<PlannedServer> servers = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        servers.add(
            new PlannedServer(
                tier.serverName(number),
                tier.label(),
                tier.address(experiment.network(), number),
                experiment.port(tier)));
      }
    }
    return servers;
  }

  /** The servers of an experiment where they run, from the web to the database. */
  static List<Server> servers(Experiment experiment, TrialHosts hosts) {
    return planned(experiment).stream()
        .map(server -> {
          PlacedServer place = hosts.of(server.name());
          Tier tier = Tier.valueOf(server.tier().toUpperCase(Locale.ROOT));
          return new Server(
              server.name(),
              tier.shownLabel(experiment),
              List.of(place.address() + ":" + place.port()));
        })
        .toList();
  }

  /** Starts the database; several have to have their data first. */
  void startDatabase() throws InterruptedException {
    if (experiment.hasDatabase() && !databases.isCluster()) {
      databases.initialise();
      Optional<SqlNodes> sqlNodes = databases.sqlNodes();
      if (sqlNodes.isPresent()) {
        startNodes(sqlNodes.get());
      } else {
        startDatabases();
      }
    }
  }

  /** Starts the first data node of each group, which makes it, before those that join. */
  private void startNodes(SqlNodes sqlNodes) throws InterruptedException {
    for (int first = 1; first <= SqlNodes.REPLICAS; first++) {
      List<Node> starting = new ArrayList<>();
      for (int number = first;
          number <= experiment.topology().database();
          number += SqlNodes.REPLICAS) {
        starting.add(start(Tier.DATABASE, number));
      }
      awaitReady(starting);
    }
    List<Node> arbitrators = new ArrayList<>();
    for (int group = 1; group <= sqlNodes.groups(); group++) {
      arbitrators.add(supervisor.start(sqlNodes.arbitrator(group), sqlNodes.arbitratorHost(group)));
    }
    awaitReady(arbitrators);
    startAll(Tier.MIDDLEWARE);
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
    if (databases.sqlNodes().isPresent()) {
      String beside = Tier.DATABASE.serverName(1);
      supervisor.awaitReady(supervisor.start(databases.watch(), hosts.of(beside).host()));
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
    if (databases.sqlNodes().isEmpty()) {
      startAll(Tier.MIDDLEWARE);
    }
    startAll(Tier.APP);
    startAll(Tier.WEB);
  }

  private void startAll(Tier tier) throws InterruptedException {
    List<Node> starting = new ArrayList<>();
    for (int number = 1; number <= experiment.topology().count(tier); number++) {
      starting.add(start(tier, number));
    }
    awaitReady(starting);
  }

  private void awaitReady(List<Node> starting) throws InterruptedException {
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
    ServerHost host = hosts.of(name).host();
    OptionalDouble cores = experiment.cpuLimit(tier, number);
    if (cores.isPresent()) {
      specification =
          specification.withCommand(
              host.limited(name, cores.getAsDouble(), specification.command()));
    }
    Optional<Long> memory = experiment.memoryBytes(tier, number);
    if (memory.isPresent()) {
      specification =
          specification.withCommand(
              host.memoryLimited(name, memory.get(), specification.command()));
    }
    Optional<Long> disk = experiment.diskBytesPerSecond(tier, number);
    if (disk.isPresent()) {
      specification =
          specification.withCommand(host.diskLimited(name, disk.get(), specification.command()));
    }
    Node node = supervisor.start(specification, host);
    node.listen(line -> printed.accept(name, line));
    current.put(name, node);
    return node;
  }

  /** Starts the helper that disturbs a database server, and waits until it is ready. */
  Node startBreaker(String server) throws InterruptedException {
    int number = Integer.parseInt(server.substring(Tier.DATABASE.label().length()));
    Node node = supervisor.start(databases.breaker(number), hosts.of(server).host());
    node.listen(line -> printed.accept(server, line));
    supervisor.awaitReady(node);
    return node;
  }

  /** Each process of a server gets a log of its own: a JVM truncates a file it finds. */
  private Path pauseLog(String name) {
    List<Path> files = pauseLogs.computeIfAbsent(name, server -> new ArrayList<>());
    String suffix = files.isEmpty() ? "" : "-" + (files.size() + 1);
    Path file = hosts.of(name).host().facts().folder().resolve(name + suffix + ".gc.log");
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
    return entranceServers().stream().map(server -> hosts.of(server).endpoint()).toList();
  }

  /** The names of the servers to which users connect, in their order. */
  List<String> entranceServers() {
    Tier entrance = experiment.topology().web() > 0 ? Tier.WEB : Tier.APP;
    return planned(experiment).stream()
        .filter(server -> server.tier().equals(entrance.label()))
        .map(PlannedServer::name)
        .toList();
  }

  /** The endpoints of all servers. */
  List<Endpoint> endpoints() {
    return planned(experiment).stream().map(server -> hosts.of(server.name()).endpoint()).toList();
  }

  /** The servers that are watched on each host; the users are on this machine. */
  Map<ServerHost, WatchPlan> watches() {
    Map<ServerHost, List<Watched>> watched = new LinkedHashMap<>();
    ServerHost runner = hosts.runner();
    watched
        .computeIfAbsent(runner, host -> new ArrayList<>())
        .add(Watched.of(Server.CLIENTS, LoadDriver.NAME, runner.facts().cores()));
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        String name = tier.serverName(number);
        watched
            .computeIfAbsent(hosts.of(name).host(), host -> new ArrayList<>())
            .add(
                new Watched(
                    name,
                    name,
                    cores(tier, number),
                    Optional.of(hosts.of(name).endpoint()),
                    metrics(tier, number),
                    hosts.networkLimit(name, experiment.networkBytesPerSecond(tier, number)),
                    experiment.governor(tier, number)));
      }
    }
    Map<ServerHost, WatchPlan> plans = new LinkedHashMap<>();
    watched.forEach(
        (host, servers) -> plans.put(host, new WatchPlan(servers, experiment.observe().sample())));
    return plans;
  }

  private double cores(Tier tier, int number) {
    ServerHost host = hosts.of(tier.serverName(number)).host();
    return host.facts().coresWithin(experiment.cpuLimit(tier, number));
  }

  /** The place at which a server tells its host how much of its pools is in use, and the like. */
  private Optional<MetricsPlace> metrics(Tier tier, int number) {
    Optional<TierProgram> program = experiment.program(tier);
    return program.isPresent()
        ? program.get().metrics().map(metrics -> metrics(tier.serverName(number), metrics))
        : programs
            .metricsPlace(tier, number)
            .map(place -> MetricsPlace.own(URI.create("http://" + place + "/metrics")));
  }

  private MetricsPlace metrics(String server, TierProgram.Metrics metrics) {
    Endpoint serves = hosts.of(server).endpoint();
    int port = metrics.port().orElse(serves.port());
    return new MetricsPlace(
        URI.create("http://" + serves.address() + ":" + port + metrics.path()),
        hosts.meterAddress(server),
        Optional.of(metrics.declared()));
  }

  /** The machines of the trial, that of the users first, with the trial's nodes on each. */
  List<TrialMachine> machines() {
    Map<String, Double> cores =
        new TreeMap<>(Map.of(Server.CLIENTS, (double) hosts.runner().facts().cores()));
    SortedMap<String, ServerHost> nodes = new TreeMap<>(Map.of(Server.CLIENTS, hosts.runner()));
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= experiment.topology().count(tier); number++) {
        String name = tier.serverName(number);
        cores.put(name, cores(tier, number));
        nodes.put(name, hosts.of(name).host());
      }
    }
    return TrialServers.machines(
        hosts.runner(), nodes, node -> Objects.requireNonNull(cores.get(node)));
  }

  /** The pauses of all JVMs, by the clock of this machine. */
  List<Event> pauses() {
    List<Event> events = new ArrayList<>();
    pauseLogs.forEach((server, files) -> {
      ServerHost host = hosts.of(server).host();
      MonotonicClock there = host.monotonicClock();
      HostClock clock = host.clock();
      for (Path file : files) {
        Path here = logs.resolve(file.getFileName());
        host.fetch(file, here);
        PauseLog.read(here, server, there).stream().map(clock::here).forEach(events::add);
      }
    });
    return events;
  }

  /** Deletes the databases' data; their processes have to be gone. */
  @Override
  public void close() {
    databases.close();
  }
}
