package org.terrace.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.experiment.web.ApacheServer;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.setting.ProgramNode;
import org.terrace.nodes.setting.SoftLimits;
import org.terrace.nodes.setting.TierProgram;
import org.terrace.nodes.setting.WebServer;

/**
 * The programs of the servers of a trial: how each is started. Confined to the thread that starts
 * them.
 */
final class ServerPrograms {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  /** The part of the addresses at which application servers tell how full their pools are. */
  private static final String METRICS_NETWORK = ".8.";

  /** The part of those of the controllers. */
  private static final String CONTROLLER_METRICS_NETWORK = ".7.";

  private static final String LOOPBACK = "127.";

  private static final int METRICS_PORT = 7_901;

  private final Experiment experiment;
  private final TrialHosts hosts;
  private final DatabaseTier databases;
  private final Function<String, Path> pauseLogs;

  /**
   * @param pauseLogs gives each process of a server, by the server's name, a file for its pauses
   */
  ServerPrograms(
      Experiment experiment,
      TrialHosts hosts,
      DatabaseTier databases,
      Function<String, Path> pauseLogs) {
    this.experiment = experiment;
    this.hosts = hosts;
    this.databases = databases;
    this.pauseLogs = pauseLogs;
  }

  NodeSpecification specification(Tier tier, int number) {
    Optional<TierProgram> program = experiment.program(tier);
    if (program.isPresent()) {
      return ProgramNode.of(
          tier.serverName(number),
          program.get(),
          hosts.isOnThisMachine(tier.serverName(number)),
          variables(tier, number),
          place(tier, number).address(),
          place(tier, number).port());
    }
    return switch (tier) {
      case APP -> app(number);
      case WEB -> web(number);
      case MIDDLEWARE ->
          databases
              .sqlNodes()
              .map(nodes -> nodes.specification(number))
              .orElseGet(() -> controller(number));
      case DATABASE -> databases.specification(number);
    };
  }

  /** The variables by which a program of the user's own is told its place and the others'. */
  private Map<String, String> variables(Tier tier, int number) {
    Map<String, String> variables = new HashMap<>();
    variables.put(TierProgram.NAME, tier.serverName(number));
    variables.put(TierProgram.NUMBER, Integer.toString(number));
    PlacedServer place = place(tier, number);
    variables.put(TierProgram.ADDRESS, place.address());
    variables.put(TierProgram.PORT, Integer.toString(place.port()));
    variables.put(TierProgram.NEXT, next(tier));
    variables.put(TierProgram.JAVA, place.programs().java().toString());
    if (experiment.hasDatabase()) {
      variables.put(TierProgram.JDBC_URL, databases.url());
      variables.put(TierProgram.JDBC_USER, DatabaseTier.USER);
    }
    return variables;
  }

  /** The places of the servers of the first tier behind one that has any. */
  private String next(Tier tier) {
    for (Tier behind : Tier.values()) {
      int count = experiment.topology().count(behind);
      if (behind.compareTo(tier) > 0 && count > 0) {
        return IntStream.rangeClosed(1, count)
            .mapToObj(
                number -> place(behind, number).address() + ":" + place(behind, number).port())
            .collect(Collectors.joining(","));
      }
    }
    return "";
  }

  private PlacedServer place(Tier tier, int number) {
    return hosts.of(tier.serverName(number));
  }

  /** All application servers: each finds the others there, and itself, which it passes over. */
  private String groupContacts() {
    List<String> contacts = new ArrayList<>();
    for (int number = 1; number <= experiment.topology().app(); number++) {
      contacts.add(place(Tier.APP, number).address() + ":" + ServerDefaults.GROUP_PORT);
    }
    return String.join(",", contacts);
  }

  private NodeSpecification app(int number) {
    String name = Tier.APP.serverName(number);
    PlacedServer place = place(Tier.APP, number);
    String address = place.address();
    SoftLimits soft = experiment.softLimits(number);
    List<String> arguments = new ArrayList<>(databaseArguments());
    soft.threads().ifPresent(most -> arguments.addAll(List.of("--threads", "" + most)));
    soft.backlog().ifPresent(most -> arguments.addAll(List.of("--backlog", "" + most)));
    arguments.addAll(
        List.of(
            "--name", name,
            "--address", address,
            "--port", Integer.toString(place.port()),
            "--database-local-address", address,
            "--pool", Integer.toString(ServerDefaults.pool(experiment, number)),
            "--group-port", Integer.toString(ServerDefaults.GROUP_PORT),
            "--group-contacts", groupContacts(),
            "--metrics", metricsPlace(Tier.APP, number).orElseThrow()));
    List<String> command =
        ServerDefaults.command(
            place.programs().java(),
            experiment.collector(Tier.APP, number),
            List.of(ServerDefaults.heapOption(experiment, Tier.APP, number)),
            pauseLogs.apply(name),
            place.programs().board(),
            "org.terrace.board.BoardServer",
            arguments);
    return NodeSpecification.of(name, command, new Readiness.Line("ready"), READY_WITHIN);
  }

  private NodeSpecification controller(int number) {
    String name = Tier.MIDDLEWARE.serverName(number);
    PlacedServer place = place(Tier.MIDDLEWARE, number);
    String address = place.address();
    List<String> arguments =
        List.of(
            "--database-url",
            databases.ownerUrl(),
            "--database-user",
            DatabaseTier.USER,
            "--database",
            DatabaseTier.DATABASE,
            "--address",
            address,
            "--port",
            Integer.toString(place.port()),
            "--pool",
            Integer.toString(ServerDefaults.CONTROLLER_POOL),
            "--metrics",
            metricsPlace(Tier.MIDDLEWARE, number).orElseThrow(),
            "--database-local-address",
            address);
    List<String> command =
        ServerDefaults.command(
            place.programs().java(),
            experiment.collector(Tier.MIDDLEWARE, number),
            List.of(ServerDefaults.heapOption(experiment, Tier.MIDDLEWARE, number)),
            pauseLogs.apply(name),
            place.programs().board(),
            "org.terrace.cluster.controller.ControllerProcess",
            arguments);
    return NodeSpecification.of(name, command, new Readiness.Line("ready"), READY_WITHIN);
  }

  private NodeSpecification web(int number) {
    String name = Tier.WEB.serverName(number);
    List<String> backends = new ArrayList<>();
    for (int app = 1; app <= experiment.topology().app(); app++) {
      backends.add(
          Tier.APP.serverName(app)
              + "="
              + place(Tier.APP, app).address()
              + ":"
              + place(Tier.APP, app).port());
    }
    PlacedServer place = place(Tier.WEB, number);
    String address = place.address();
    if (experiment.web() == WebServer.APACHE) {
      return ApacheServer.specification(place, backends, READY_WITHIN);
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--address", address, "--port", Integer.toString(place.port())));
    backends.forEach(backend -> arguments.addAll(List.of("--backend", backend)));
    List<String> command =
        ServerDefaults.command(
            place.programs().java(),
            experiment.collector(Tier.WEB, number),
            List.of(ServerDefaults.heapOption(experiment, Tier.WEB, number)),
            pauseLogs.apply(name),
            place.programs().proxy(),
            "org.terrace.proxy.ReverseProxy",
            arguments);
    return NodeSpecification.of(name, command, new Readiness.Line("ready"), READY_WITHIN);
  }

  private List<String> databaseArguments() {
    return List.of("--database-url", databases.url(), "--database-user", DatabaseTier.USER);
  }

  /**
   * The place at which one of our own servers tells how full its pools are: an address apart from
   * the servers', so that a capture does not take whoever asks for a user; of the host's loopback
   * network, since it is asked there. Empty for servers that do not tell.
   */
  Optional<String> metricsPlace(Tier tier, int number) {
    boolean tells =
        switch (tier) {
          case APP -> true;
          case MIDDLEWARE -> !experiment.isNdbLike();
          case WEB, DATABASE -> false;
        };
    if (!tells || experiment.program(tier).isPresent()) {
      return Optional.empty();
    }
    String network = experiment.network().startsWith(LOOPBACK) ? experiment.network() : "127.0";
    String part = tier == Tier.APP ? METRICS_NETWORK : CONTROLLER_METRICS_NETWORK;
    return Optional.of(network + part + number + ":" + METRICS_PORT);
  }
}
