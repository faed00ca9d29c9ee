package org.terrace.hosts;

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
    if (command.size() > 3) {
      System.out.println("group " + Path.of(command.get(3)).getParent());
    }
    System.out.println("started");
    new CountDownLatch(1).await();
  }
}
