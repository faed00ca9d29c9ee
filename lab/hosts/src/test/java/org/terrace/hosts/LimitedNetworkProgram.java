package org.terrace.hosts;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.monitor.Resources;

/**
 * A server whose network is limited, in a namespace of its own; to be run in one of its own. Each
 * line that it prints says what became of one step.
 */
final class LimitedNetworkProgram {
  private static final long BYTES_PER_SECOND = 256 << 10;
  private static final int NARROWER = 64 << 10;
  private static final int DATAGRAM_BYTES = 1_400;
  private static final long LOAD_NANOS = 5_000_000_000L;
  private static final Duration SAMPLE = Duration.ofMillis(250);

  private LimitedNetworkProgram() {}

  /** Arguments: the folder of logs. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    String classpath = System.getProperty("java.class.path");
    TimeSource time = TimeSource.system();
    TrialHosts.Setting setting =
        new TrialHosts.Setting(
            new Target.Namespaces(),
            "127.0",
            List.of(new PlannedServer("app1", "app", "127.0.2.1", 8080)),
            "127.0.9.1",
            new ProgramPaths(JavaCommand.program(), classpath, classpath, classpath),
            folder);
    try (TrialHosts hosts = TrialHosts.open(setting, time, line -> {})) {
      PlacedServer app = hosts.of("app1");
      WatchPlan plan = plan(hosts);
      step("without a queue", () -> app.host().watch(plan).close());
      step("limited", () -> hosts.watch(Map.of(app.host(), plan)).close());
      step(
          "narrowed for a while",
          () -> {
            Hold narrow = app.host().hold(new HoldPlan.Bandwidth(app.endpoint(), NARROWER));
            narrow.begin();
            var _ = narrow.end();
          });
      step("limited as before", () -> app.host().watch(plan).close());
      try (TrialWatch watch = hosts.watch(Map.of(app.host(), plan))) {
        send(app.address(), time);
        watch.end().samples().stream()
            .filter(sample -> sample.resource().equals(Resources.NETWORK_UTILISATION))
            .forEach(sample -> System.out.println("use " + sample.value()));
      }
    }
    step("opened again", () -> TrialHosts.open(setting, time, line -> {}).close());
    System.exit(0);
  }

  private static WatchPlan plan(TrialHosts hosts) {
    return new WatchPlan(
        List.of(
            new WatchPlan.Watched(
                "app1",
                "app1",
                1,
                Optional.empty(),
                Optional.empty(),
                hosts.networkLimit("app1", Optional.of(BYTES_PER_SECOND)),
                Optional.empty())),
        SAMPLE);
  }

  private static void step(String what, Runnable step) {
    try {
      step.run();
      System.out.println(what + ": done");
    } catch (TerraceException e) {
      System.out.println(what + ": " + e.getMessage());
    }
  }

  /** Sends to a server as fast as its network takes it. */
  private static void send(String address, TimeSource time) throws Exception {
    DatagramPacket datagram =
        new DatagramPacket(
            new byte[DATAGRAM_BYTES],
            DATAGRAM_BYTES,
            new InetSocketAddress(InetAddress.ofLiteral(address), 9));
    long begun = time.elapsedNanos();
    try (DatagramSocket socket = new DatagramSocket()) {
      while (time.elapsedNanos() - begun < LOAD_NANOS) {
        socket.send(datagram);
      }
    }
  }
}
