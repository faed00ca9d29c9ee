package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.terrace.control.ServiceReference;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * The measurement of the time in which two replicas stand again after the primary was killed.
 * Stateless.
 */
final class Restoration {
  private Restoration() {}

  /** Seconds from each kill until the naming service lists two replicas again. */
  static double[] measure(int kills, Path folder, Path log)
      throws IOException, InterruptedException {
    double[] seconds = new double[kills];
    TimeSource time = TimeSource.system();
    try (ManagedLots managed = new ManagedLots(folder, log, List.of());
        ServiceClient client = ServiceClient.open(ClientOptions.of(managed.naming()))) {
      ServiceReference before = managed.await(0);
      Lots lots = client.stub(Lots.class, "lots");
      for (int kill = 0; kill < kills; kill++) {
        lots.enter(1);
        long primary = lots.pid();
        long start = time.elapsedNanos();
        ChildProcess.signal("KILL", primary);
        before = managed.await(before.epoch() + 1);
        seconds[kill] = (time.elapsedNanos() - start) / 1e9;
      }
    }
    return seconds;
  }
}
