package org.terrace.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.fault.Hold;
import org.terrace.testing.Await;

/** A runner that starts and breaks servers through an agent, and then waits to be killed. */
final class DoomedRunner {
  private static final Duration SOON = Duration.ofSeconds(20);

  private DoomedRunner() {}

  /** Arguments: the folder of logs, and the folder of the host. */
  public static void main(String[] arguments) throws InterruptedException {
    Path logs = Path.of(arguments[0]);
    TimeSource time = TimeSource.system();
    AgentLine line =
        AgentLine.start(
            "one", JavaCommand.small(List.of("-Xmx96m"), AgentProgram.class, arguments[1]));
    HostFacts facts = line.awaitFacts();
    AgentHost host = new AgentHost("one", line, facts, facts, true, time);
    Supervisor supervisor = new Supervisor(logs, "doomed", time);
    List<String> command =
        host.limited("app1", 0.5, List.of("sh", "-c", "echo ready; sleep 1000 & wait"));
    Node node =
        supervisor.start(
            NodeSpecification.of("app1", command, new Readiness.Line("ready"), SOON)
                .forking(Signal.TERM),
            host);
    supervisor.awaitReady(node);
    node.signal(Signal.STOP);
    System.out.println("agent " + line.process().pid());
    node.members().forEach(member -> System.out.println("member " + member));
    if (Files.isExecutable(Path.of("/usr/sbin/nft"))) {
      Hold hold = host.hold(new HoldPlan.Openings(new Endpoint("app1", "127.15.2.1", 8080)));
      hold.begin();
      System.out.println("held");
    }
    HoldPlan storage = new HoldPlan.Storage("app1", 1 << 20);
    try {
      host.requirePermitted(storage);
      host.hold(storage).begin();
      System.out.println("storage");
    } catch (TerraceException e) {
      System.out.println("free");
    }
    try {
      List<String> limited = host.memoryLimited("database1", 64 << 20, List.of("sleep", "1000"));
      host.hold(new HoldPlan.Memory("database1", 0.9)).begin();
      System.out.println("group " + Path.of(limited.get(3)).getParent());
    } catch (TerraceException e) {
      System.out.println("free of a limit of memory: " + e.getMessage());
    }
    waitForStorage(host, supervisor, Path.of(arguments[1]));
    if (command.size() > 3) {
      System.out.println("group " + Path.of(command.get(3)).getParent());
    }
    System.out.println("started");
    new CountDownLatch(1).await();
  }

  /** Has a server ask for a minute of its storage at once: the kernel ends nobody who waits so. */
  private static void waitForStorage(AgentHost host, Supervisor supervisor, Path folder)
      throws InterruptedException {
    try {
      List<String> command =
          host.diskLimited(
              "database2",
              1 << 20,
              List.of(
                  "sh",
                  "-c",
                  "echo ready; read -r go; exec dd if=/dev/zero of=\"$0\" bs=64M count=1 oflag=dsync",
                  folder.resolve("written").toString()));
      Node node =
          supervisor.start(
              NodeSpecification.of("database2", command, new Readiness.Line("ready"), SOON), host);
      supervisor.awaitReady(node);
      var _ =
          host.watch(
              new WatchPlan(
                  List.of(WatchPlan.Watched.of("database2", "database2", 1)),
                  Duration.ofSeconds(1)));
      Path counts = Path.of(command.get(3)).resolveSibling("blkio.throttle.io_service_bytes");
      long before = written(counts);
      var _ = node.writeLine("go");
      if (!Await.until(SOON, () -> written(counts) > before + (1 << 20))) {
        throw new IllegalStateException("nothing is written");
      }
      node.members().forEach(member -> System.out.println("member " + member));
      System.out.println("waits");
    } catch (TerraceException e) {
      System.out.println("free of a limit of storage: " + e.getMessage());
    }
  }

  private static long written(Path counts) {
    try {
      return Files.readAllLines(counts).stream()
          .filter(line -> line.contains(" Write "))
          .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
