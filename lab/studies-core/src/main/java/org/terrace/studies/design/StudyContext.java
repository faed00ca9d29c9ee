package org.terrace.studies.design;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Supervisor;

/**
 * The means of a running study: its directory, its processes, its claims. Thread-safe.
 *
 * @param study what runs
 * @param full whether in the published size
 * @param home the folder of the distribution
 * @param directory the result directory
 * @param supervisor starts the processes, and ends them with the study
 * @param listener told of steps and progress
 * @param javaOptions of every JVM that runs an application, after the study's own
 * @param time the clocks
 */
public record StudyContext(
    Study study,
    boolean full,
    Path home,
    Path directory,
    Supervisor supervisor,
    StudyListener listener,
    List<String> javaOptions,
    TimeSource time) {
  private static final Duration DATABASE_READY_WITHIN = Duration.ofSeconds(60);

  /** A folder below the result directory, made when it is not there. */
  public Path folder(String name) {
    try {
      return Files.createDirectories(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An address in the study's network, for example {@code 127.0.2.1}. */
  public String address(int third, int fourth) {
    return study.network() + "." + third + "." + fourth;
  }

  /**
   * The command line of a JVM with the libraries of an application.
   *
   * @param application the folder below {@code apps} in the distribution
   * @param options of the JVM
   */
  public List<String> java(
      String application, List<String> options, String mainClass, List<String> arguments) {
    List<String> all =
        new ArrayList<>(
            List.of("-Xshare:auto", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
    all.addAll(options);
    all.addAll(javaOptions);
    String classPath = home.resolve("apps").resolve(application) + "/*";
    return JavaCommand.of(JavaCommand.program(), all, classPath, mainClass, arguments);
  }

  /** Starts a process and waits until it prints a line that begins with {@code ready}. */
  public Node start(String name, List<String> command, Duration within)
      throws InterruptedException {
    Node node =
        supervisor.start(NodeSpecification.of(name, command, new Readiness.Line("ready"), within));
    supervisor.awaitReady(node);
    return node;
  }

  /** Starts a PostgreSQL server of the study's own; it ends with the study. */
  public PostgresServer database(String name, PostgresOptions options) throws InterruptedException {
    PostgresServer server = new PostgresServer(options);
    server.initialise();
    server.checkAddress();
    NodeSpecification specification =
        NodeSpecification.of(
                name,
                server.command(),
                new Readiness.Check(server::isReady, "accept connections"),
                DATABASE_READY_WITHIN)
            .forking(Signal.INT);
    supervisor.awaitReady(supervisor.start(specification));
    return server;
  }
}
