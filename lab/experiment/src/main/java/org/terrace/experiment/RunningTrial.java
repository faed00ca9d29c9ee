package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.Trial.CaptureFile;
import org.terrace.experiment.watch.BackendHistory;
import org.terrace.experiment.watch.ReplicaHistory;
import org.terrace.experiment.watch.RunBegin;
import org.terrace.hosts.ServerWatch.LimitsInForce;
import org.terrace.hosts.TrialCapture;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialWatch;
import org.terrace.hosts.WatchReadings;
import org.terrace.load.LoadCheck;
import org.terrace.load.LoadResult;
import org.terrace.nodes.Node;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.fault.FaultInjector;
import org.terrace.observation.Event;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

/** One trial from the start of its database to its results. Confined to one thread. */
final class RunningTrial {
  /** The kind of the event that a server which was killed is started again. */
  static final String RESTART = "restart";

  private final Experiment experiment;
  private final String specification;
  private final Path folder;
  private final TrialServers servers;
  private final TrialHosts hosts;
  private final TrialOptions options;
  private final TrialListener listener;
  private final TimeSource time;
  private final BackendHistory backends;
  private final ReplicaHistory replicas;
  private final List<Event> restarts = new ArrayList<>();
  private volatile Consumer<String[]> faultLines = line -> {};

  RunningTrial(
      Experiment experiment,
      String specification,
      Path folder,
      TrialServers servers,
      TrialOptions options,
      TrialListener listener,
      TimeSource time) {
    this.experiment = experiment;
    this.hosts = servers.hosts();
    this.backends = new BackendHistory(experiment.proxies());
    this.replicas = servers.replicas(experiment);
    this.specification = specification;
    this.folder = folder;
    this.servers = servers;
    this.options = options;
    this.listener = listener;
    this.time = time;
  }

  /** The observations made while the load lasted. */
  private record Seen(
      LoadResult load,
      long runStartNanos,
      List<LimitsInForce> limits,
      List<Sample> samples,
      List<Event> events,
      List<String> lost,
      List<String> limitsLost,
      List<String> faultProblems,
      Optional<SessionCounts> sessions,
      List<CaptureFile> captures) {}

  /**
   * The end of the servers: whether they all run, and of the databases their rows compared, if
   * there are several, and their losses.
   */
  private record Ended(ValidityCheck alive, Optional<List<String>> compared, List<Event> losses) {}

  /** Runs the trial on servers of its own, which have ended when its results are collected. */
  Trial run() throws InterruptedException {
    probeCapture();
    targets().requireNetworks();
    servers.warnings(experiment).forEach(listener::warning);
    servers.read(this::printed);
    servers.startDatabases(listener);
    listener.phase(TrialPhase.SERVERS);
    Seen seen = serve();
    servers.liftLimits(); // what is compared and counted from here on is no load
    Ended ended = end(seen);
    listener.phase(TrialPhase.STOP);
    servers.stop();
    listener.phase(TrialPhase.COLLECT);
    return collect(seen, ended, Long.MIN_VALUE, Optional.empty());
  }

  /**
   * Runs the trial on servers that run already, and go on after it.
   *
   * @param users the owner of the processes that the trial starts
   * @param turn its turn, of which it does not know yet what it writes
   */
  Trial runShared(Supervisor users, SharedTurn turn) throws InterruptedException {
    long start = time.epochNanos();
    servers.read(this::printed);
    Deployment deployment = servers.deployment();
    Seen seen = load(users, targets(), Optional.empty());
    servers.liftLimits();
    Ended ended = end(seen);
    long written = deployment.countRows() - turn.rowsBefore();
    listener.phase(TrialPhase.COLLECT);
    return collect(
        seen,
        ended,
        start,
        Optional.of(new SharedTurn(turn.number(), turn.rowsAtStart(), turn.rowsBefore(), written)));
  }

  /** The end of the load: servers and databases looked at while they still run. */
  private Ended end(Seen seen) throws InterruptedException {
    Deployment deployment = servers.deployment();
    ValidityCheck alive = TrialChecks.serversAlive(deployment, experiment, seen.events());
    Optional<List<String>> compared = deployment.compareDatabases();
    return new Ended(alive, compared, replicas.end(time.epochNanos()));
  }

  private void printed(String server, String said) {
    // Servers tell times by the clock of their host.
    String line = hosts.of(server).host().clock().here(said);
    backends.printed(server, line);
    replicas.printed(server, line);
    faultLines.accept(new String[] {server, line});
  }

  /** The listener to the load, whom each of its seconds reminds of the faults since the last. */
  private static final class FaultNews implements TrialListener {
    private final TrialListener listener;
    private volatile Supplier<List<Event>> source = List::of;
    private int told;

    FaultNews(TrialListener listener) {
      this.listener = listener;
    }

    @Override
    public void phase(TrialPhase phase) {
      listener.phase(phase);
    }

    @Override
    public void message(String text) {
      listener.message(text);
    }

    @Override
    public void warning(String text) {
      listener.warning(text);
    }

    @Override
    public void progress(String json) {
      List<Event> faults = source.get();
      faults.subList(told, faults.size()).forEach(listener::fault);
      told = faults.size();
      listener.progress(json);
    }
  }

  private TrialTargets targets() {
    Deployment deployment = servers.deployment();
    return new TrialTargets(experiment, deployment, hosts, server -> restart(deployment, server));
  }

  /** Fails before anything has started when packets cannot be captured. */
  private void probeCapture() {
    if (experiment.observe().packets()) {
      capture().close();
    }
  }

  private TrialCapture capture() {
    Map<String, String> names = new HashMap<>();
    for (Server server : Deployment.servers(experiment, hosts)) {
      for (String address : server.addresses()) {
        names.put(address.substring(0, address.lastIndexOf(':')), server.name());
      }
    }
    names.put(hosts.userAddress(), Server.CLIENTS);
    return hosts.capture(
        folder.resolve(Trial.CAPTURE_FILE), names, experiment.observe().snapLength());
  }

  /** Starts the servers under the eye of the capture, so that it sees every connection open. */
  private Seen serve() throws InterruptedException {
    Deployment deployment = servers.deployment();
    Optional<TrialCapture> capture =
        experiment.observe().packets() ? Optional.of(capture()) : Optional.empty();
    try {
      deployment.startServers();
      TrialTargets targets = targets();
      targets.prepare();
      return load(servers.supervisor(), targets, capture);
    } finally {
      capture.ifPresent(TrialCapture::close);
    }
  }

  private Seen load(Supervisor supervisor, TrialTargets struck, Optional<TrialCapture> capture)
      throws InterruptedException {
    Deployment deployment = servers.deployment();
    FaultNews news = new FaultNews(listener);
    LoadDriver driver = new LoadDriver(experiment, hosts, ResultFolder.load(folder), news);
    List<Event> events = new ArrayList<>();
    try (FaultInjector faults = new FaultInjector(experiment.faults(), struck, time);
        TrialWatch watch = hosts.watch(deployment.watches());
        WatchedSessions sessions = new WatchedSessions(experiment, hosts, time)) {
      faultLines = line -> faults.serverPrinted(line[0], line[1]);
      news.source = faults::events;
      CompletableFuture<List<LimitsInForce>> running =
          RunBegin.at(driver.runStart(), faults::start, watch::enforceLimits);
      sessions.start();
      Node users =
          driver.start(supervisor, options, deployment.entrances(), ResultFolder.logs(folder));
      LoadResult result = driver.await(users);
      if (!driver.runStart().isDone()) {
        throw new TerraceException(
            ErrorCode.CHECK_FAILED,
            "the load generator ended without saying when its run began; see " + users.logFile());
      }
      List<LimitsInForce> limits = await(running);
      Optional<SessionCounts> kept = sessions.stop();
      faults.heal();
      WatchReadings watched = watch.end();
      watched.warnings().forEach(listener::warning);
      watched.lost().forEach(listener::warning);
      watched.limitsLost().forEach(listener::warning);
      supervisor.nodes().forEach(node -> node.logRefusal().ifPresent(listener::warning));
      listener.message(watched.cost().toString());
      hosts.clocks().forEach(listener::message);
      hosts.clockWarnings().forEach(listener::warning);
      events.addAll(faults.events());
      events.addAll(watched.events());
      return new Seen(
          result,
          driver.runStart().join(),
          limits,
          watched.samples(),
          events,
          watched.lost(),
          watched.limitsLost(),
          faults.problems(),
          kept,
          capture.map(this::captured).orElse(List.of()));
    }
  }

  /** Waits for what begins with the run, and fails with its reason. */
  private static <T> T await(CompletableFuture<T> running) {
    try {
      return running.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof TerraceException refused ? refused : e;
    }
  }

  private List<CaptureFile> captured(TrialCapture capture) {
    return capture.end(folder, Trial.CAPTURE_FILE, listener::message).stream()
        .map(each ->
            new CaptureFile(
                each.point(),
                each.file(),
                each.counts().written(),
                each.counts().bytes(),
                each.counts().dropped()))
        .toList();
  }

  private void restart(Deployment deployment, String server) {
    long start = time.epochNanos();
    deployment.restart(server);
    Event event = new Event(server, RESTART, start, time.epochNanos(), Map.of());
    synchronized (restarts) {
      restarts.add(event);
    }
  }

  /** The check of the limits of processor time; empty where none is asked for. */
  private Optional<ValidityCheck> limitsInForce(Seen seen) {
    Set<String> asked = experiment.limitedServers();
    Set<String> refused =
        asked.stream()
            .filter(server -> hosts.of(server).host().facts().limitWarning().isPresent())
            .collect(Collectors.toSet());
    return asked.isEmpty() && seen.limitsLost().isEmpty()
        ? Optional.empty()
        : Optional.of(
            TrialChecks.limits(
                asked,
                refused,
                seen.limits(),
                seen.limitsLost(),
                seen.runStartNanos(),
                experiment.observe().sample()));
  }

  /**
   * @param since the moment before which nothing is of this trial
   */
  private Trial collect(Seen seen, Ended ended, long since, Optional<SharedTurn> turn) {
    Deployment deployment = servers.deployment();
    List<Event> events = new ArrayList<>(seen.events());
    events.addAll(seen.load().phases());
    deployment.pauses().stream().filter(pause -> pause.startNanos() >= since).forEach(events::add);
    events.addAll(backends.events(time.epochNanos()));
    events.addAll(ended.losses());
    synchronized (restarts) {
      events.addAll(restarts);
    }
    List<ValidityCheck> validity = new ArrayList<>();
    for (LoadCheck judged : seen.load().validity()) {
      LoadCheck check =
          FaultChecks.connections(
              judged,
              seen.load().failures(),
              seen.load().requests(),
              experiment.faults(),
              deployment.entranceServers(),
              events);
      validity.add(new ValidityCheck(check.name(), check.passed(), check.detail()));
    }
    validity.add(ended.alive());
    validity.add(
        FaultChecks.happened(
            experiment.faults(),
            seen.faultProblems(),
            events,
            seen.runStartNanos(),
            experiment.phases().run()));
    limitsInForce(seen).ifPresent(validity::add);
    validity.add(MachineRoom.check(seen.samples(), deployment.machines(), seen.load().phases()));
    validity.add(TrialChecks.readings(seen.lost(), seen.samples().size()));
    seen.sessions().map(counts -> TrialChecks.sessions(counts, events)).ifPresent(validity::add);
    if (!seen.captures().isEmpty()) {
      validity.add(TrialChecks.capture(seen.captures(), seen.load().requests().size()));
    }
    ended
        .compared()
        .ifPresent(lines ->
            validity.addAll(ClusterChecks.of(experiment, lines, events, seen.load().requests())));
    Trial trial =
        new Trial(
            experiment,
            specification,
            folder,
            Deployment.servers(experiment, hosts),
            seen.samples(),
            events,
            seen.load().requests(),
            validity,
            seen.captures(),
            TrialChecks.machine(hosts.facts()),
            TrialChecks.versions(),
            deployment.machines(),
            turn);
    TrialFile.write(trial);
    return trial;
  }
}
