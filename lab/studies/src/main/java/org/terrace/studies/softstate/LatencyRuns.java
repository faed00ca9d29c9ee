package org.terrace.studies.softstate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.studies.design.StudyContext;
import tools.jackson.databind.JsonNode;

/** Figure 4: the cart over each store, for each number of clients. Confined to one thread. */
final class LatencyRuns {
  static final int REPLICAS = 3;
  static final int CONNECTIONS = 64;

  private static final int DATABASES = 4;
  private static final int POSTGRESQL_PORT = 5_432;
  private static final int H2_PORT = 9_092;
  private static final int CONNECTIONS_SPARE = 16;
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(20);

  /** Servers, and where they write their times. */
  private record Servers(List<Node> nodes, List<Path> times, List<Node> behind) {}

  private final StudyContext context;
  private final CartPrograms programs;
  private final SoftStateParameters parameters;

  LatencyRuns(StudyContext context, CartPrograms programs, SoftStateParameters parameters) {
    this.context = context;
    this.programs = programs;
    this.parameters = parameters;
  }

  List<CartRun> run() throws InterruptedException {
    List<CartRun> runs = new ArrayList<>();
    for (Store store : parameters.stores()) {
      context.listener().message("figure 4: the cart over " + store.word());
      runs.addAll(run(store));
    }
    return runs;
  }

  private List<CartRun> run(Store store) throws InterruptedException {
    Path folder = context.folder("figure4");
    Servers servers = start(store, folder);
    List<List<JsonNode>> summaries = new ArrayList<>();
    for (int clients : parameters.clients()) {
      context.listener().progress("%s: %d clients".formatted(store.word(), clients));
      summaries.add(
          Repetitions.untilEnough(
              "calls",
              parameters.measure(),
              (times, lasts) -> load(store, clients, times, lasts, folder)));
    }
    programs.stop(servers.nodes);
    for (Node node : servers.behind) {
      node.stop(STOP_WITHIN);
    }
    DataTimes data = DataTimes.read(servers.times);
    return summaries.stream()
        .map(each ->
            each.stream()
                .map(summary -> CartRun.of(store, summary, data))
                .reduce((before, last) -> last.withLossesOf(before))
                .orElseThrow())
        .toList();
  }

  private JsonNode load(Store store, int clients, int times, Duration measure, Path folder)
      throws InterruptedException {
    String name = "figure4-%s-%d%s".formatted(store.word(), clients, Repetitions.suffix(times));
    Path json = folder.resolve(name + ".json");
    Duration lasts = parameters.warmUp().plus(measure);
    return programs.load(
        name,
        programs.cart(
            "CartLoad",
            List.of(
                "--replicas",
                programs.replicas(store.isDatabase() ? 1 : REPLICAS),
                "--clients",
                Integer.toString(clients),
                "--think-ms",
                "20",
                "--warm-up-s",
                Long.toString(parameters.warmUp().toSeconds()),
                "--duration-s",
                Long.toString(measure.toSeconds()),
                "--prefix",
                clients + Repetitions.suffix(times) + "-",
                "--populate",
                "yes",
                "--seed",
                Long.toString(context.study().seed()),
                "--json",
                json.toString())),
        json,
        lasts);
  }

  private Servers start(Store store, Path folder) throws InterruptedException {
    return switch (store) {
      case COLLECTIONS -> replicas(store, "LOCAL", folder);
      case COLLECTIONS_ALL -> replicas(store, "ALL", folder);
      case POSTGRESQL -> postgresql(folder);
      case H2 -> h2(folder);
    };
  }

  private Servers replicas(Store store, String level, Path folder) throws InterruptedException {
    Map<String, List<String>> commands = new LinkedHashMap<>();
    List<Path> times = new ArrayList<>();
    for (int number = 1; number <= REPLICAS; number++) {
      String name = "figure4-%s-%s".formatted(store.word(), CartPrograms.name(number));
      times.add(folder.resolve(name + "-times.json"));
      List<String> flags = new ArrayList<>(programs.member(number, REPLICAS));
      flags.addAll(List.of("--level", level, "--times", times.getLast().toString()));
      commands.put(name, programs.cart("CartServer", flags));
    }
    List<Node> nodes = programs.startAll(commands);
    programs.awaitMembers(nodes);
    return new Servers(nodes, times, List.of());
  }

  private Servers postgresql(Path folder) throws InterruptedException {
    PostgresServer server =
        context.database(
            "postgresql",
            PostgresOptions.at(context.address(DATABASES, 1), POSTGRESQL_PORT)
                .withDatabase("cart", "cart")
                .withSizes(128, CONNECTIONS + CONNECTIONS_SPARE));
    return overDatabase(Store.POSTGRESQL, server.jdbcUrl(), folder, List.of());
  }

  private Servers h2(Path folder) throws InterruptedException {
    String address = context.address(DATABASES, 2);
    NodeSpecification specification =
        NodeSpecification.of(
            "h2",
            context.java(
                "cart",
                List.of("-XX:+UseSerialGC", "-Xmx512m", "-Dh2.bindAddress=" + address),
                "org.h2.tools.Server",
                List.of("-tcp", "-tcpPort", Integer.toString(H2_PORT), "-ifNotExists")),
            new Readiness.Line("TCP server running"),
            READY_WITHIN);
    Node server = context.supervisor().start(specification);
    context.supervisor().awaitReady(server);
    String url =
        "jdbc:h2:tcp://%s:%d/mem:cart;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=30000"
            .formatted(address, H2_PORT);
    return overDatabase(Store.H2, url, folder, List.of(server));
  }

  private Servers overDatabase(Store store, String url, Path folder, List<Node> behind)
      throws InterruptedException {
    String name = "figure4-" + store.word() + "-app1";
    Path times = folder.resolve(name + "-times.json");
    List<String> flags = new ArrayList<>(programs.standing(1));
    flags.addAll(
        List.of(
            "--store",
            store.word(),
            "--database-url",
            url,
            "--connections",
            Integer.toString(CONNECTIONS),
            "--times",
            times.toString()));
    Node node = programs.start(name, programs.cart("CartServer", flags));
    return new Servers(List.of(node), List.of(times), behind);
  }
}
