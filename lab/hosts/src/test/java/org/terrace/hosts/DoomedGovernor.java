package org.terrace.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.terrace.core.TimeSource;
import org.terrace.hosts.files.AgentFolder;
import org.terrace.nodes.Launch;
import org.terrace.nodes.machine.HostClocks;

/** A runner that lets the clock of a server follow its load, and then waits to be killed. */
final class DoomedGovernor {
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private DoomedGovernor() {}

  /** Arguments: the folders of the host, of the kernel's governors, and of notes. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    HostClocks clocks = new HostClocks(Path.of(arguments[1]), Path.of(arguments[2]));
    LocalServerHost host =
        new LocalServerHost(
            "local",
            Path.of(arguments[0]),
            AgentFolder.in(Path.of(arguments[0])),
            clocks,
            TimeSource.system());
    host.start(new Launch("database1", List.of("sleep", "60"), Map.of(), Path.of("/"), false));
    WatchPlan.Watched server =
        new WatchPlan.Watched(
            "database1",
            "database1",
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(INTERVAL));
    host.watch(new WatchPlan(List.of(server), INTERVAL)).enforceLimits();
    System.out.println("started");
    new CountDownLatch(1).await();
  }
}
