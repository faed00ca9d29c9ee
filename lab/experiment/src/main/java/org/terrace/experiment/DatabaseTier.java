package org.terrace.experiment;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.FileTree;
import org.terrace.hosts.DatabasePlan;
import org.terrace.hosts.DatabaseServer;
import org.terrace.hosts.ServerHost;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.setting.Collector;

/**
 * The databases of a trial, all with the same data, and the URL by which they are reached. Confined
 * to one thread.
 *
 * <p>One is filled while it runs as a node of the trial. Several start as copies of a data set that
 * is kept on this machine for later trials, or are filled one by one where none can be kept.
 */
final class DatabaseTier implements AutoCloseable {
  static final String USER = ServerDefaults.DATABASE_USER;
  static final String DATABASE = ServerDefaults.DATABASE;
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration LOADED_WITHIN = Duration.ofMinutes(30);
  private static final Duration COMPARED_WITHIN = Duration.ofMinutes(10);
  private static final String WILDCARD = "*";
  private static final String PROGRAM = "terrace-board";
  private static final int VERSION_DIGITS = 16;
  private static final long LOADER_HEAP = 512L << 20;

  private final Experiment experiment;
  private final TrialHosts hosts;
  private final Supervisor supervisor;
  private final List<DatabaseServer> servers = new ArrayList<>();
  private final @Nullable SqlNodes sqlNodes;
  private @Nullable Path recoveryLog;

  DatabaseTier(Experiment experiment, TrialHosts hosts, Supervisor supervisor) {
    this.experiment = experiment;
    this.hosts = hosts;
    this.supervisor = supervisor;
    this.sqlNodes = experiment.isNdbLike() ? new SqlNodes(experiment, hosts) : null;
    int count = experiment.hasDatabase() ? experiment.topology().database() : 0;
    for (int number = 1; number <= count; number++) {
      servers.add(server(number));
    }
  }

  private DatabaseServer server(int number) {
    if (sqlNodes != null) {
      return sqlNodes.dataNode(number);
    }
    DatabasePlan.DatabaseSystem system =
        switch (experiment.database()) {
          case Experiment.POSTGRESQL -> DatabasePlan.DatabaseSystem.POSTGRESQL;
          case Experiment.MARIADB -> DatabasePlan.DatabaseSystem.MARIADB;
          default -> throw new IllegalArgumentException("database " + experiment.database());
        };
    PlacedServer place = place(number);
    return place
        .host()
        .database(
            new DatabasePlan(
                system, place.address(), place.port(), DATABASE, hosts.databaseClients()));
  }

  /** Whether several databases are one to the application. */
  boolean isCluster() {
    return sqlNodes == null && (servers.size() > 1 || experiment.hasController());
  }

  /** The SQL nodes before the data nodes of an NDB-like database. */
  Optional<SqlNodes> sqlNodes() {
    return Optional.ofNullable(sqlNodes);
  }

  /** The node of a server. */
  NodeSpecification specification(int number) {
    DatabaseServer server = servers.get(number - 1);
    return NodeSpecification.of(
            Tier.DATABASE.serverName(number),
            server.command(),
            new Readiness.Check(server::isReady, "accept connections"),
            READY_WITHIN)
        .forking(server.stopSignal());
  }

  /** Makes the one database of a trial that has no more, or all nodes of one, without its data. */
  void initialise() {
    servers.forEach(DatabaseServer::initialise);
    if (sqlNodes != null) {
      sqlNodes.initialise();
    }
  }

  /** Fills the one database, which runs. */
  void load() throws InterruptedException {
    load(1);
  }

  /** Makes several databases with the same data; none of them runs. */
  void makeCopies() throws InterruptedException {
    Optional<String> dataSet = dataSetName();
    for (int number = 1; number <= servers.size(); number++) {
      DatabaseServer server = servers.get(number - 1);
      boolean copied = false;
      if (dataSet.isPresent()) {
        copied = server.initialise(dataSet.get());
      } else {
        server.initialise();
      }
      if (!copied) {
        server.start();
        load(number);
        server.stop();
        dataSet.ifPresent(server::keepAs);
      }
    }
  }

  /**
   * The name under which the data set is kept: another size, seed or version of the program that
   * makes it has another one.
   *
   * @return empty when the version cannot be told, as the program is not in a file of its own
   */
  private Optional<String> dataSetName() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      List<Path> archives = archives(hosts.programs().board());
      for (Path archive : archives) {
        digest.update(Files.readAllBytes(archive));
      }
      String version = HexFormat.of().formatHex(digest.digest()).substring(0, VERSION_DIGITS);
      return archives.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "scale-%s-seed-%d-%s"
                  .formatted(experiment.data().scale(), experiment.data().seed(), version));
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Path> archives(String classpath) throws IOException {
    List<Path> archives = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (!entry.endsWith(WILDCARD)) {
        archives.add(Path.of(entry));
        continue;
      }
      try (var files = Files.list(Path.of(entry.substring(0, entry.length() - 1)))) {
        files.sorted().forEach(archives::add);
      }
    }
    archives.removeIf(path -> !path.getFileName().toString().startsWith(PROGRAM));
    archives.removeIf(path -> !path.toString().endsWith(".jar"));
    return archives;
  }

  /** The node of the watch over the data nodes of an NDB-like database. */
  NodeSpecification watch() {
    List<String> arguments = List.of("--database-url", url(), "--database-user", USER);
    NodeSpecification program =
        program(1, "data-node-controller", "org.terrace.board.DataNodeController", arguments);
    return NodeSpecification.of(
        program.name(), program.command(), new Readiness.Line("ready"), READY_WITHIN);
  }

  private void load(int number) throws InterruptedException {
    List<String> arguments =
        List.of(
            "--database-url", url(number),
            "--database-user", USER,
            "--scale", Double.toString(experiment.data().scale()),
            "--seed", Long.toString(experiment.data().seed()));
    supervisor.run(
        program(number, "loader", "org.terrace.board.BoardLoader", arguments),
        place(number).host(),
        LOADED_WITHIN);
  }

  /**
   * Compares the rows of all servers, which run.
   *
   * @return a line for each thing that differs, after one that says what was compared
   */
  List<String> compare() throws InterruptedException {
    return answerOf("replicas", "org.terrace.board.BoardReplicas", clusterUrl(""));
  }

  /** Counts the rows of the first server, which runs. */
  long countRows() throws InterruptedException {
    return Long.parseLong(answerOf("rows", "org.terrace.board.BoardRows", url(1)).getFirst());
  }

  /** The lines that a program beside the first server leaves. */
  private List<String> answerOf(String name, String mainClass, String databaseUrl)
      throws InterruptedException {
    ServerHost first = place(1).host();
    Path result = first.facts().folder().resolve(name + ".txt");
    List<String> arguments =
        List.of(
            "--database-url", databaseUrl,
            "--database-user", USER,
            "--out", result.toString());
    supervisor.run(program(1, name, mainClass, arguments), first, COMPARED_WITHIN);
    try {
      Path here = hosts.runner().facts().folder().resolve(result.getFileName());
      first.fetch(result, here);
      return Files.readAllLines(here);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The node of the helper that disturbs a server from inside. */
  NodeSpecification breaker(int number) {
    List<String> arguments = List.of("--database-url", url(number), "--database-user", USER);
    NodeSpecification program =
        program(
            number,
            Tier.DATABASE.serverName(number) + "-breaker",
            "org.terrace.board.DatabaseBreaker",
            arguments);
    return NodeSpecification.of(
        program.name(), program.command(), new Readiness.Line("ready"), READY_WITHIN);
  }

  /** A program that runs beside a database. */
  private NodeSpecification program(
      int number, String name, String mainClass, List<String> arguments) {
    PlacedServer place = place(number);
    List<String> command =
        ServerDefaults.command(
            place.programs().java(),
            Collector.SERIAL,
            List.of("-Xmx" + LOADER_HEAP),
            place.host().facts().folder().resolve(name + ".gc.log"),
            place.programs().board(),
            mainClass,
            arguments);
    return NodeSpecification.of(name, command, new Readiness.AtOnce(), LOADED_WITHIN);
  }

  /** The URL by which an application reaches the databases. */
  String url() {
    if (sqlNodes != null) {
      return sqlNodes.url();
    }
    if (experiment.hasController()) {
      PlacedServer controller = hosts.of(Tier.MIDDLEWARE.serverName(1));
      return "jdbc:terrace:controller://%s:%d/%s"
          .formatted(controller.address(), controller.port(), DATABASE);
    }
    return isCluster() ? ownerUrl() : servers.getFirst().jdbcUrl();
  }

  /** The URL of one server alone, or of all SQL nodes: a data node has a part of the rows. */
  String url(int number) {
    return sqlNodes != null ? sqlNodes.url() : servers.get(number - 1).jdbcUrl();
  }

  /** The URL by which a process owns the cluster of the databases. */
  String ownerUrl() {
    return clusterUrl(
        "?writes=%s&scheduling=%s&log=%s"
            .formatted(
                experiment.replication().strategy(),
                experiment.replication().scheduler(),
                URLEncoder.encode(recoveryLog().toString(), StandardCharsets.UTF_8)));
  }

  /** Whether there are databases to compare. */
  boolean isReplicated() {
    return sqlNodes == null && servers.size() > 1;
  }

  private String clusterUrl(String query) {
    List<String> places = new ArrayList<>();
    for (int number = 1; number <= servers.size(); number++) {
      places.add(place(number).address() + ":" + place(number).port());
    }
    return "jdbc:terrace:%s://%s/%s%s"
        .formatted(experiment.database(), String.join(",", places), DATABASE, query);
  }

  /** A directory that outlives the process that owns the cluster, not the trial. */
  private Path recoveryLog() {
    Path directory = recoveryLog;
    if (directory == null) {
      directory = owner().facts().folder().resolve("recovery-log");
      recoveryLog = directory;
    }
    return directory;
  }

  /** The host of the process that owns the cluster. */
  private ServerHost owner() {
    Tier tier = experiment.hasController() ? Tier.MIDDLEWARE : Tier.APP;
    return hosts.of(tier.serverName(1)).host();
  }

  private PlacedServer place(int number) {
    return hosts.of(Tier.DATABASE.serverName(number));
  }

  /** Deletes the data and the recovery log; all processes have to be gone. */
  @Override
  public void close() {
    List<Runnable> ends = new ArrayList<>();
    sqlNodes().ifPresent(nodes -> ends.addAll(nodes.ends()));
    servers.forEach(server -> ends.add(server::close));
    ends.add(this::deleteRecoveryLog);
    TrialServers.closeAll(ends);
  }

  private void deleteRecoveryLog() {
    Path directory = recoveryLog;
    if (directory != null) {
      try {
        FileTree.delete(directory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
