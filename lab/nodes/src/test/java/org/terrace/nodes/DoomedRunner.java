package org.terrace.nodes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessTree;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;
import org.terrace.nodes.NodeSpecification.Readiness;

/** A runner that starts nodes, a database among them, and then waits to be killed. */
final class DoomedRunner {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private DoomedRunner() {}

  /** Arguments: directory of the logs, mark, address of the database, its data directory. */
  public static void main(String[] arguments) throws InterruptedException {
    Supervisor supervisor =
        new Supervisor(Path.of(arguments[0]), arguments[1], TimeSource.system());
    Node sleeper =
        supervisor.start(
            NodeSpecification.of(
                "sleeper",
                List.of("sh", "-c", "trap '' TERM; sleep 1000 & echo $! >&2; wait"),
                new Readiness.AtOnce(),
                READY_WITHIN));
    Node stopped =
        supervisor.start(
            NodeSpecification.of(
                "stopped", List.of("sleep", "1000"), new Readiness.AtOnce(), READY_WITHIN));
    PostgresServer database =
        new PostgresServer(
                PostgresOptions.at(arguments[2], 5432).withDataDirectory(Path.of(arguments[3])))
            .initialise();
    Node postgres =
        supervisor.start(
            NodeSpecification.of(
                    "database1",
                    database.command(),
                    new Readiness.Check(database::isReady, "become ready"),
                    READY_WITHIN)
                .forking(Signal.INT));
    supervisor.awaitReady(postgres);
    stopped.signal(Signal.STOP);
    for (Node node : List.of(sleeper, stopped, postgres)) {
      for (long member : ProcessTree.members(node.pid())) {
        System.out.println("member " + node.name() + " " + member);
      }
    }
    System.out.println("started");
    postgres.exit().join();
  }
}
