package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.manager.ManagerProcess;
import org.terrace.control.naming.NamingClient;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * The measurement of the time in which two replicas stand again after the primary was killed:
 * naming service, replication manager and replicas are processes. Confined to one thread.
 */
final class Restoration implements AutoCloseable {
  private static final int DEGREE = 2;
  private static final int PATIENCE_SECONDS = 30;

  private final ChildProcess namingProcess;
  private final ChildProcess manager;
  private final NamingClient naming;
  private final BlockingQueue<ServiceReference> notices = new LinkedBlockingQueue<>();

  Restoration(Path folder, Path log) throws IOException {
    String namingAddress = free();
    String managerAddress = free();
    namingProcess =
        Jvm.start(
            Jvm.replicaCommand(
                NamingProcess.class,
                "--listen",
                namingAddress,
                "--directory",
                Files.createDirectories(folder.resolve("naming")).toString()),
            log);
    namingProcess.awaitReady();
    List<String> replica =
        Jvm.replicaCommand(
            LotsServer.class, "{name}", "WARM_PASSIVE", "{address}", managerAddress, "managed");
    manager =
        Jvm.start(
            Jvm.replicaCommand(
                ManagerProcess.class,
                "--managers",
                managerAddress,
                "--naming",
                namingAddress,
                "--service",
                "lots",
                "--degree",
                Integer.toString(DEGREE),
                "--host",
                EchoServer.HOST,
                "--directory",
                Files.createDirectories(folder.resolve("replicas")).toString(),
                "--command",
                String.join(" ", replica)),
            log);
    manager.awaitReady();
    naming = NamingClient.open(namingAddress);
    naming.watch("lots", notices::add);
  }

  private static String free() throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(EchoServer.HOST, 0));
      return EchoServer.HOST + ":" + probe.getLocalPort();
    }
  }

  /** Seconds from each kill until the naming service lists two replicas again. */
  double[] measure(int kills) throws IOException, InterruptedException {
    double[] seconds = new double[kills];
    TimeSource time = TimeSource.system();
    ServiceReference before = await(0);
    try (ServiceClient client = ServiceClient.open(ClientOptions.of(naming))) {
      Lots lots = client.stub(Lots.class, "lots");
      for (int kill = 0; kill < kills; kill++) {
        lots.enter(1);
        long primary = lots.pid();
        long start = time.elapsedNanos();
        ChildProcess.signal("KILL", primary);
        before = await(before.epoch() + 1);
        seconds[kill] = (time.elapsedNanos() - start) / 1e9;
      }
    }
    return seconds;
  }

  /** The first reference of that epoch or a later one that lists two replicas. */
  private ServiceReference await(long epoch) throws IOException, InterruptedException {
    while (true) {
      @Nullable ServiceReference next = notices.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new IOException("no redundancy within " + PATIENCE_SECONDS + " s");
      }
      if (next.epoch() >= epoch && next.endpoints().size() == DEGREE) {
        return next;
      }
    }
  }

  /** Replicas end with the last manager of their directory. */
  @Override
  public void close() {
    naming.close();
    manager.close();
    namingProcess.close();
  }
}
