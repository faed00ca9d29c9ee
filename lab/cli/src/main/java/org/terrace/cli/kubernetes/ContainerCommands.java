package org.terrace.cli.kubernetes;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.ServerDefaults;
import org.terrace.experiment.Tier;
import org.terrace.nodes.setting.Collector;
import org.terrace.nodes.setting.SoftLimits;

/**
 * The command lines of Terrace's own servers in its image, and the URLs of databases. Immutable.
 */
record ContainerCommands(Experiment experiment, Names names) {
  /** The folder in which the owner of several databases keeps what it has decided. */
  static final String RECOVERY_LOG = "/var/lib/terrace";

  private static final String HOME = "/opt/terrace";
  private static final String ADDRESS = "$(POD_IP)";
  private static final int LOADER_MEBIBYTES = 512;

  /** Whether one process owns several databases, or a controller any number. */
  boolean hasCluster() {
    return experiment.topology().database() > 1 || hasController();
  }

  boolean hasController() {
    return experiment.topology().middleware() > 0 && experiment.program(Tier.MIDDLEWARE).isEmpty();
  }

  /** The tier whose servers connect to the databases; of the board's. */
  Tier owner() {
    return hasController() ? Tier.MIDDLEWARE : Tier.APP;
  }

  List<String> proxy() {
    List<String> arguments =
        new ArrayList<>(List.of("--address", ADDRESS, "--port", port(Tier.WEB)));
    for (int number = 1; number <= experiment.topology().app(); number++) {
      arguments.add("--backend");
      arguments.add(Tier.APP.serverName(number) + "=" + place(Tier.APP, number));
    }
    return java(Tier.WEB, "proxy", "org.terrace.proxy.ReverseProxy", arguments);
  }

  List<String> board() {
    List<String> arguments = new ArrayList<>(database(url()));
    SoftLimits soft = experiment.softLimits(1);
    soft.threads().ifPresent(most -> arguments.addAll(List.of("--threads", "" + most)));
    soft.backlog().ifPresent(most -> arguments.addAll(List.of("--backlog", "" + most)));
    arguments.addAll(
        List.of(
            "--name",
            "$(POD_NAME)",
            "--address",
            ADDRESS,
            "--port",
            port(Tier.APP),
            "--pool",
            "" + ServerDefaults.pool(experiment, 1),
            "--group-port",
            "" + ServerDefaults.GROUP_PORT,
            "--group-contacts",
            names.tier(Tier.APP) + ":" + ServerDefaults.GROUP_PORT,
            "--group-secret-file",
            PodPlan.secretFile("group")));
    return java(Tier.APP, "board", "org.terrace.board.BoardServer", arguments);
  }

  List<String> controller() {
    List<String> arguments = new ArrayList<>(database(ownerUrl()));
    arguments.addAll(
        List.of(
            "--database",
            ServerDefaults.DATABASE,
            "--address",
            ADDRESS,
            "--port",
            port(Tier.MIDDLEWARE),
            "--pool",
            "" + ServerDefaults.CONTROLLER_POOL,
            "--secret-file",
            PodPlan.secretFile("controller")));
    return java(
        Tier.MIDDLEWARE, "board", "org.terrace.cluster.controller.ControllerProcess", arguments);
  }

  /** Fills a database with the board's data. */
  List<String> loader(int number) {
    List<String> arguments = new ArrayList<>(database(url(number)));
    arguments.addAll(
        List.of(
            "--scale", "" + experiment.data().scale(), "--seed", "" + experiment.data().seed()));
    return program("org.terrace.board.BoardLoader", arguments);
  }

  /** Fails until a database holds its data, which are there all at once. */
  List<String> rows(int number) {
    List<String> arguments = new ArrayList<>(database(url(number)));
    arguments.addAll(List.of("--out", "/tmp/rows-" + number));
    return program("org.terrace.board.BoardRows", arguments);
  }

  /** The places of a tier's servers, with commas between. */
  String places(Tier tier) {
    return IntStream.rangeClosed(1, experiment.topology().count(tier))
        .mapToObj(number -> place(tier, number))
        .collect(Collectors.joining(","));
  }

  /** The URL of one database. */
  String url(int number) {
    return "jdbc:%s://%s/%s"
        .formatted(experiment.database(), place(Tier.DATABASE, number), ServerDefaults.DATABASE);
  }

  private String url() {
    if (hasController()) {
      return "jdbc:terrace:controller://%s/%s?secretFile=%s"
          .formatted(
              place(Tier.MIDDLEWARE, 1),
              ServerDefaults.DATABASE,
              encoded(PodPlan.secretFile("controller")));
    }
    return hasCluster() ? ownerUrl() : url(1);
  }

  private String ownerUrl() {
    return "jdbc:terrace:%s://%s/%s?writes=%s&scheduling=%s&log=%s"
        .formatted(
            experiment.database(),
            places(Tier.DATABASE),
            ServerDefaults.DATABASE,
            experiment.replication().strategy(),
            experiment.replication().scheduler(),
            encoded(RECOVERY_LOG + "/recovery-log"));
  }

  private static String encoded(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8);
  }

  private static List<String> database(String url) {
    return List.of(
        "--database-url",
        url,
        "--database-user",
        ServerDefaults.DATABASE_USER,
        "--database-password-file",
        PodPlan.secretFile("database"));
  }

  private String place(Tier tier, int number) {
    return names.server(tier, number) + ":" + port(tier);
  }

  private String port(Tier tier) {
    return Integer.toString(experiment.port(tier));
  }

  private List<String> java(Tier tier, String libraries, String mainClass, List<String> arguments) {
    List<String> options =
        new ArrayList<>(ServerDefaults.javaOptions(experiment.collector(tier, 1)));
    options.add(ServerDefaults.heapOption(experiment, tier, 1));
    return java(options, libraries, mainClass, arguments);
  }

  private static List<String> program(String mainClass, List<String> arguments) {
    List<String> options = new ArrayList<>(ServerDefaults.javaOptions(Collector.SERIAL));
    options.add("-Xmx" + LOADER_MEBIBYTES + "m");
    return java(options, "board", mainClass, arguments);
  }

  private static List<String> java(
      List<String> options, String libraries, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(HOME + "/runtime/bin/java"));
    command.addAll(options);
    command.addAll(List.of("-cp", HOME + "/apps/" + libraries + "/*", mainClass));
    command.addAll(arguments);
    return command;
  }
}
