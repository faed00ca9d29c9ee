package org.terrace.hosts;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;

/**
 * Two servers in network namespaces of their own, asked and captured; to be run in one of its own.
 */
final class NamespacesProgram {
  static final int REQUESTS = 20;
  private static final Duration SOON = Duration.ofSeconds(30);

  private NamespacesProgram() {}

  /** Arguments: the folder of logs and of the capture. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    String classpath = System.getProperty("java.class.path");
    TimeSource time = TimeSource.system();
    TrialHosts.Setting setting =
        new TrialHosts.Setting(
            new Target.Namespaces(),
            "127.0",
            List.of(
                new PlannedServer("web1", "web", "127.0.1.1", 8080),
                new PlannedServer("app1", "app", "127.0.2.1", 8080)),
            "127.0.9.1",
            new ProgramPaths(JavaCommand.program(), classpath, classpath, classpath),
            folder);
    try (TrialHosts hosts = TrialHosts.open(setting, time, line -> {});
        Supervisor supervisor = new Supervisor(folder, "namespaces", time)) {
      hosts.requireFree();
      Map<String, String> names =
          Map.of("10.0.1.1", "web1", "10.0.2.1", "app1", hosts.userAddress(), "clients");
      try (TrialCapture capture = hosts.capture(folder.resolve("capture.pcapng"), names, 262_144)) {
        PlacedServer app = hosts.of("app1");
        PlacedServer web = hosts.of("web1");
        start(supervisor, app, List.of());
        start(supervisor, web, List.of(app.address(), Integer.toString(app.port())));
        for (int request = 0; request < REQUESTS; request++) {
          System.out.println(
              RelayServer.ask(
                      InetAddress.ofLiteral(hosts.userAddress()),
                      InetAddress.ofLiteral(web.address()),
                      web.port())
                  .lines()
                  .findFirst()
                  .orElse("nothing"));
        }
        System.out.println("network here " + hosts.runner().facts().network());
        System.out.println("network web1 " + web.host().facts().network());
        System.out.println("network app1 " + app.host().facts().network());
        System.out.println("captured " + capture.end(folder, "capture.pcapng", _ -> {}));
      }
    }
    System.exit(0);
  }

  private static void start(Supervisor supervisor, PlacedServer place, List<String> next)
      throws InterruptedException {
    List<String> own = new java.util.ArrayList<>();
    own.addAll(List.of(place.address(), Integer.toString(place.port())));
    own.addAll(next);
    List<String> command =
        JavaCommand.small(List.of("-Xmx32m"), RelayServer.class, own.toArray(String[]::new));
    Node node =
        supervisor.start(
            NodeSpecification.of(place.name(), command, new Readiness.Line("ready"), SOON),
            place.host());
    supervisor.awaitReady(node);
  }
}
