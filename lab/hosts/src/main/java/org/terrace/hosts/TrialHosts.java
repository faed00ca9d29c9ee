package org.terrace.hosts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.capture.CaptureFilter;
import org.terrace.capture.CaptureRights;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.hosts.TrialCapture.CapturePlace;
import org.terrace.hosts.network.MeterNetwork;
import org.terrace.hosts.network.NamespaceNetwork;
import org.terrace.hosts.network.OwnAddress;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.setting.NetworkLimit;

/**
 * The hosts of a trial: where each server runs and what its address is, with the agents that serve
 * there. The users run on this machine. Thread-safe.
 */
public final class TrialHosts implements AutoCloseable {
  private static final String ALL_LOOPBACK = "127.0.0.0/8";
  private static final String WHOLE_ADDRESS = "/32";
  private static final double NANOS_PER_MILLI = 1e6;

  private final Setting setting;
  private final TimeSource time;
  private final LocalServerHost runner;
  private final List<ServerHost> agents = new ArrayList<>();
  private final Map<String, PlacedServer> places = new LinkedHashMap<>();
  private String userAddress;
  private boolean networkOfOthers;
  private @Nullable NamespaceNetwork network;
  private List<String> databaseClients = List.of(ALL_LOOPBACK);

  /**
   * A trial's wishes.
   *
   * @param network the first two octets of the experiment's loopback addresses
   * @param servers the servers, from the web to the database
   * @param userAddress the loopback address of the users
   * @param programs the programs on this machine
   * @param logs the folder of this machine for logs and files of servers; it exists
   */
  public record Setting(
      Target target,
      String network,
      List<PlannedServer> servers,
      String userAddress,
      ProgramPaths programs,
      Path logs) {
    /** Copies the servers. */
    public Setting {
      servers = List.copyOf(servers);
    }
  }

  /**
   * A server and where it runs.
   *
   * @param address the address it listens at, and connects from
   * @param programs the programs on its host
   */
  public record PlacedServer(
      String name, ServerHost host, String address, int port, ProgramPaths programs) {
    /** The endpoint that it listens at. */
    public Endpoint endpoint() {
      return new Endpoint(name, address, port);
    }
  }

  private TrialHosts(Setting setting, TimeSource time) {
    this.setting = setting;
    this.time = time;
    this.userAddress = setting.userAddress();
    this.runner = new LocalServerHost("local", setting.logs(), time);
  }

  /**
   * Starts the agents that a target takes.
   *
   * @param progress told how much of their programs hosts have taken, in lines
   * @throws TerraceException if a host cannot be reached, or this machine does not permit the
   *     target
   */
  public static TrialHosts open(Setting setting, TimeSource time, Consumer<String> progress) {
    TrialHosts hosts = new TrialHosts(setting, time);
    try {
      switch (setting.target()) {
        case Target.Local _ ->
            setting
                .servers()
                .forEach(server ->
                    hosts.place(server, hosts.runner, server.address(), setting.programs()));
        case Target.Namespaces _ -> hosts.openNamespaces();
        case Target.Ssh ssh -> hosts.openSsh(ssh, progress);
      }
      return hosts;
    } catch (RuntimeException e) {
      hosts.close();
      throw e;
    }
  }

  private void place(PlannedServer server, ServerHost host, String address, ProgramPaths programs) {
    places.put(
        server.name(), new PlacedServer(server.name(), host, address, server.port(), programs));
  }

  private void openNamespaces() {
    userAddress = NamespaceNetwork.address(setting.userAddress());
    databaseClients = List.of(NamespaceNetwork.network(setting.network()));
    NamespaceNetwork joined = new NamespaceNetwork(userAddress);
    network = joined;
    List<NamespaceAgents.Started> started =
        NamespaceAgents.start(setting.servers(), setting.programs(), setting.logs());
    try {
      for (NamespaceAgents.Started each : started) {
        PlannedServer server = each.server();
        HostFacts facts = each.line().awaitFacts();
        String address = NamespaceNetwork.address(server.address());
        joined.join(each.line().process().pid(), address);
        ServerHost host =
            new AgentHost(server.name(), each.line(), facts, runner.facts(), true, time);
        agents.add(host);
        place(server, host, address, setting.programs());
      }
    } catch (RuntimeException e) {
      started.forEach(each -> each.line().close(0));
      throw e;
    }
  }

  private void openSsh(Target.Ssh target, Consumer<String> progress) {
    Map<PlannedServer, SshHost> plan = SshPlacement.of(target.hosts(), setting.servers());
    boolean loopback = target.hosts().getFirst().isLoopback();
    Map<SshHost, SshAgent> opened = new LinkedHashMap<>();
    plan.forEach((server, host) -> {
      SshAgent agent =
          opened.computeIfAbsent(
              host,
              each -> {
                SshAgent made =
                    SshAgent.open(
                        each, target.command(), setting.programs(), runner.facts(), time, progress);
                agents.add(made.host());
                return made;
              });
      place(server, agent.host(), loopback ? server.address() : host.address(), agent.programs());
    });
    if (!loopback) {
      SshPlacement.requireMachinesOfTheirOwn(runner, agents);
      networkOfOthers = true;
      PlacedServer first = of(setting.servers().getFirst().name());
      userAddress = OwnAddress.towards(first.address(), first.port(), first.name());
      databaseClients =
          places.values().stream()
              .map(place -> place.address() + WHOLE_ADDRESS)
              .distinct()
              .toList();
    }
  }

  /** The limit of a server's network; empty where it is to have none. */
  public Optional<NetworkLimit> networkLimit(String server, Optional<Long> bytesPerSecond) {
    return bytesPerSecond.map(bytes -> new NetworkLimit(of(server).address(), userAddress, bytes));
  }

  private void limit(NetworkLimit limit) {
    Objects.requireNonNull(network, "a network of each server's own").limit(limit, time);
  }

  /** A server's place. */
  public PlacedServer of(String server) {
    PlacedServer place = places.get(server);
    if (place == null) {
      throw new IllegalArgumentException("no server " + server);
    }
    return place;
  }

  /** The address from which a server on loopback is asked for its metrics; empty for others. */
  public Optional<String> meterAddress(String server) {
    return MeterNetwork.addressTowards(of(server).address(), setting.network());
  }

  /** The programs on this machine. */
  public ProgramPaths programs() {
    return setting.programs();
  }

  /** The host of this process, on which the users run. */
  public ServerHost runner() {
    return runner;
  }

  /** The address that users come from. */
  public String userAddress() {
    return userAddress;
  }

  /**
   * The networks from which a database may be asked, by whoever is there and without a password.
   */
  public List<String> databaseClients() {
    return databaseClients;
  }

  /** All hosts, this machine first. */
  public List<ServerHost> all() {
    return Stream.<ServerHost>concat(Stream.of(runner), agents.stream()).toList();
  }

  /** Whether a server runs on the machine of this process. */
  public boolean isOnThisMachine(String server) {
    return of(server).host().facts().isSameMachine(runner.facts());
  }

  /** The clocks of other machines against this one's, a sentence each. */
  public List<String> clocks() {
    return otherMachines()
        .map(host -> {
          ClockOffset offset = host.clockOffset();
          return String.format(
              Locale.ROOT,
              "the clock of %s is %.3f ms %s, give or take %.3f ms",
              host.name(),
              Math.abs(offset.offsetNanos()) / NANOS_PER_MILLI,
              offset.offsetNanos() > 0 ? "behind" : "ahead",
              offset.errorNanos() / NANOS_PER_MILLI);
        })
        .toList();
  }

  /** The clocks that were set, so that times near that moment are wrong. */
  public List<String> clockWarnings() {
    return otherMachines()
        .filter(host -> host.clockOffset().disagreementNanos() > 0)
        .map(host ->
            String.format(
                Locale.ROOT,
                "the clock of %s was set: readings of it differ by %.3f ms more than their round"
                    + " trips and the rates of clocks explain, and so may times of its samples and"
                    + " events",
                host.name(),
                host.clockOffset().disagreementNanos() / NANOS_PER_MILLI))
        .toList();
  }

  /** The target, if it is not this machine alone, and what each host with other processors is. */
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    if (!(setting.target() instanceof Target.Local)) {
      facts.put("target", setting.target().word());
    }
    agents.stream()
        .filter(host -> !host.facts().hasSameProcessors(runner.facts()))
        .forEach(host -> {
          Map<String, String> there = host.facts().facts();
          facts.put(
              "host " + host.name(),
              "%d cores, %s, kernel %s"
                  .formatted(
                      host.facts().cores(),
                      there.getOrDefault("cpu", "processor unknown"),
                      there.getOrDefault("kernel", "unknown")));
        });
    return facts;
  }

  private Stream<ServerHost> otherMachines() {
    return agents.stream().filter(host -> !host.facts().isSameMachine(runner.facts()));
  }

  /**
   * Checks on each host that the addresses of its servers are free, and claims them and that of the
   * users for this trial.
   *
   * @throws TerraceException if one is not, or another trial has it
   */
  public void requireFree() {
    Map<ServerHost, List<Endpoint>> endpoints = new LinkedHashMap<>();
    places
        .values()
        .forEach(place ->
            endpoints
                .computeIfAbsent(place.host(), host -> new ArrayList<>())
                .add(place.endpoint()));
    endpoints.forEach(ServerHost::requireFree);
    runner.claim(userAddress);
  }

  /**
   * Puts the limits of networks in force and starts to watch servers and users.
   *
   * @param plans by host, what is watched there
   */
  public TrialWatch watch(Map<ServerHost, WatchPlan> plans) {
    plans.values().stream()
        .flatMap(plan -> plan.servers().stream().flatMap(server -> server.network().stream()))
        .forEach(this::limit);
    return new TrialWatch(plans, runner);
  }

  /**
   * Starts to capture wherever packets pass that no other place sees.
   *
   * @param file the file on this machine for what is captured here
   * @param names the servers' names by address
   * @param snapLength the most bytes kept of a packet
   */
  public TrialCapture capture(Path file, Map<String, String> names, int snapLength) {
    Map<CapturePlace, Path> files = new LinkedHashMap<>();
    for (CapturePlace place : capturePlaces()) {
      files.put(
          place,
          place.host().equals(runner)
              ? file
              : place.host().facts().folder().resolve(place.host().name() + ".pcapng"));
    }
    return new TrialCapture(
        files,
        captured(names.keySet()),
        List.of(MeterNetwork.prefix(setting.network())),
        names,
        snapLength);
  }

  /**
   * The networks of which packets are kept. On a network that others use as well they are the
   * addresses of the trial alone, as far as a filter has room for them.
   */
  private List<String> captured(Set<String> addresses) {
    boolean oneByOne = networkOfOthers && addresses.size() <= CaptureFilter.MAXIMUM_NETWORKS;
    return addresses.stream()
        .map(each ->
            oneByOne ? each + WHOLE_ADDRESS : each.substring(0, each.lastIndexOf('.')) + ".0/24")
        .distinct()
        .toList();
  }

  private List<CapturePlace> capturePlaces() {
    if (setting.target() instanceof Target.Namespaces) {
      return List.of(new CapturePlace(runner.name(), runner, NamespaceNetwork.BRIDGE));
    }
    boolean mayCapture =
        CaptureRights.ofThisProcess().builtIn() || CaptureRights.permittedProgram().isPresent();
    Optional<ServerHost> neighbour =
        agents.stream().filter(agent -> agent.facts().isSameNetwork(runner.facts())).findFirst();
    List<CapturePlace> found = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    ServerHost first = mayCapture ? runner : neighbour.orElse(runner);
    found.add(new CapturePlace(runner.name(), first, userAddress));
    seen.add(identity(first));
    for (PlacedServer place : places.values()) {
      if (seen.add(identity(place.host()))) {
        found.add(new CapturePlace(place.host().name(), place.host(), place.address()));
      }
    }
    return found;
  }

  private static String identity(ServerHost host) {
    return host.facts().machine() + " " + host.facts().network();
  }

  /** Ends the agents and with them all that they started, and what was started here. */
  @Override
  public void close() {
    List<Thread> closing =
        agents.stream().map(agent -> Thread.ofVirtual().start(agent::close)).toList();
    runner.close();
    boolean interrupted = false;
    for (Thread each : closing) {
      try {
        each.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (network != null) {
      network.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
