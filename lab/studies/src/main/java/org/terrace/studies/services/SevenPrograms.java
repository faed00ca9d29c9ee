package org.terrace.studies.services;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.control.client.ManagerClient;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.studies.design.StudyContext;

/**
 * The programs of the seven applications and what they need: one database for the study, and the
 * command lines of naming service, replication manager, replicas and clients. Thread-safe.
 */
public final class SevenPrograms {
  /** The address, third number, of each tier. */
  public static final int REPLICAS = 2;

  private static final int DATABASES = 4;
  private static final int NAMING = 5;
  private static final int MANAGERS = 6;
  private static final int DATABASE_PORT = 5_432;
  private static final int NAMING_PORT = 7_401;
  private static final int MANAGER_PORT = 7_501;
  private static final int ADMIN_PORT = 7_601;
  private static final int DATABASE_CONNECTIONS = 200;
  private static final int SHARED_BUFFERS_MEBIBYTES = 64;
  private static final String FOLDER = "seven";
  private static final Duration ASK_WITHIN = Duration.ofSeconds(5);
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration SET_UP_WITHIN = Duration.ofMinutes(2);

  private final StudyContext context;
  private final String databaseUrl;

  private SevenPrograms(StudyContext context, String databaseUrl) {
    this.context = context;
    this.databaseUrl = databaseUrl;
  }

  /** Starts the database that all applications share. */
  public static SevenPrograms withDatabase(StudyContext context) throws InterruptedException {
    PostgresServer server =
        context.database(
            "database1",
            PostgresOptions.at(context.address(DATABASES, 1), DATABASE_PORT)
                .withDatabase(FOLDER, FOLDER)
                .withSizes(SHARED_BUFFERS_MEBIBYTES, DATABASE_CONNECTIONS));
    return new SevenPrograms(context, server.jdbcUrl());
  }

  /** The flags of all JVMs, for the report: collector, compiler, heap. */
  public static String flags() {
    return String.join(" ", jvm());
  }

  /** JVMs that start fast and stay small: a short run pays for its start, not for its peak. */
  private static List<String> jvm() {
    return List.of(
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx160m", "-XX:+UseTransparentHugePages");
  }

  private List<String> java(String mainClass, List<String> arguments) {
    return context.java(FOLDER, jvm(), mainClass, arguments);
  }

  private List<String> database() {
    return List.of("--database-url", databaseUrl, "--database-user", FOLDER);
  }

  private static List<String> join(List<String> first, List<String> then) {
    List<String> all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }

  /** Makes an application's tables anew. */
  public void setUp(String application) throws InterruptedException {
    runToEnd(
        "setup-" + application,
        java(
            "org.terrace.seven.SevenSetup",
            join(List.of("--application", application), database())),
        SET_UP_WITHIN);
  }

  /** Checks an application's invariants; false if one does not hold, with its log told. */
  public boolean check(String application) throws InterruptedException {
    return endOfCheck("check-" + application, application, List.of()) == 0;
  }

  /**
   * Holds what the clients of a run were told against the database, when nobody calls any more.
   *
   * @param name of the run
   * @param acknowledged the file that the clients wrote
   * @throws TerraceException if the check does not come to its end
   */
  public EffectsOfRun audit(String name, String application, Path acknowledged)
      throws InterruptedException {
    Path report = acknowledged.resolveSibling("audit.json");
    int status =
        endOfCheck(
            name + "-check",
            application,
            List.of("--acknowledged", acknowledged.toString(), "--audit", report.toString()));
    if (status > 1) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "the check of %s after %s failed; see the log of %s-check"
              .formatted(application, name, name));
    }
    return EffectsOfRun.read(report);
  }

  /** Runs a check to its end: its exit code, 2 if it did not end in time. */
  private int endOfCheck(String name, String application, List<String> more)
      throws InterruptedException {
    List<String> arguments = join(List.of("--application", application), join(database(), more));
    Node node =
        context
            .supervisor()
            .start(
                NodeSpecification.of(
                    name,
                    java("org.terrace.seven.SevenCheck", arguments),
                    new Readiness.AtOnce(),
                    READY_WITHIN));
    if (!node.endsWithin(SET_UP_WITHIN)) {
      node.kill();
      return ErrorCode.BAD_INPUT.exitCode();
    }
    return node.exit().join().status();
  }

  /** Starts a naming service of one process. */
  public Node naming(String name, Path folder) throws InterruptedException {
    return context.start(
        name,
        java(
            "org.terrace.control.naming.NamingProcess",
            List.of("--listen", namingAddress(), "--directory", folder.toString())),
        READY_WITHIN);
  }

  /** The address at which clients find the naming service. */
  public String namingAddress() {
    return context.address(NAMING, 1) + ":" + NAMING_PORT;
  }

  /** Starts a replication manager, which starts replicas by the command. */
  public Node manager(
      String name,
      String application,
      String style,
      int degree,
      int spares,
      boolean promptDetection,
      Path folder,
      List<String> replica)
      throws InterruptedException {
    String quoted = String.join(" ", replica.stream().map(word -> "\"" + word + "\"").toList());
    return context.start(
        name,
        java(
            "org.terrace.control.manager.ManagerProcess",
            List.of(
                "--managers",
                managerAddress(),
                "--rank",
                "0",
                "--naming",
                namingAddress(),
                "--service",
                application,
                "--style",
                style,
                "--degree",
                Integer.toString(degree),
                "--spares",
                Integer.toString(spares),
                "--detection",
                promptDetection ? "prompt" : "heartbeats",
                "--directory",
                folder.toString(),
                "--host",
                context.address(REPLICAS, 1),
                "--admin",
                adminAddress(),
                "--command",
                quoted)),
        READY_WITHIN);
  }

  private String managerAddress() {
    return context.address(MANAGERS, 1) + ":" + MANAGER_PORT;
  }

  private String adminAddress() {
    return context.address(MANAGERS, 1) + ":" + ADMIN_PORT;
  }

  /** A client of the manager. */
  public ManagerClient askManager() {
    return new ManagerClient(List.of(adminAddress()), ASK_WITHIN);
  }

  /**
   * The command of a replica under a manager, with the manager's placeholder for its name.
   *
   * @param failOver the value of the application's flag {@code --fail-over}
   */
  public List<String> managedReplica(String application, String style, String failOver) {
    return java(
        "org.terrace.seven.SevenServer",
        join(
            List.of(
                "--application",
                application,
                "--name",
                "{name}",
                "--address",
                context.address(REPLICAS, 1),
                "--port",
                "0",
                "--style",
                style,
                "--fail-over",
                failOver,
                "--manager",
                managerAddress()),
            database()));
  }

  /** The command of a replica by itself. */
  public List<String> replica(String application, int number, int port, List<String> more) {
    return java(
        "org.terrace.seven.SevenServer",
        join(
            List.of(
                "--application",
                application,
                "--name",
                "server" + number,
                "--address",
                context.address(REPLICAS, number),
                "--port",
                Integer.toString(port)),
            join(database(), more)));
  }

  /** The command of clients. */
  public List<String> clients(String application, List<String> more) {
    return java("org.terrace.seven.SevenClient", join(List.of("--application", application), more));
  }

  /** Runs a program to its end; whatever is left of it is ended. */
  public void runToEnd(String name, List<String> command, Duration within)
      throws InterruptedException {
    context
        .supervisor()
        .run(NodeSpecification.of(name, command, new Readiness.AtOnce(), within), within);
  }

  /** Waits for clients' end: 1 where a call came to no reply, which is counted, not fatal. */
  public static void awaitEnd(Node client, Duration limit) throws InterruptedException {
    boolean ended = client.endsWithin(limit);
    if (!ended) {
      client.kill();
    }
    if (!ended || client.exit().join().status() > 1) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "%s %s; the end of its log %s:\n%s"
              .formatted(
                  client.name(),
                  ended ? "failed" : "did not end within " + limit.toSeconds() + " s",
                  client.logFile(),
                  client.logTail()));
    }
  }
}
