package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.manager.ManagerProcess;
import org.terrace.control.naming.NamingClient;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.process.ChildProcess;

/**
 * Two replicas of {@link Lots} that a replication manager keeps: naming service, manager and
 * replicas are processes. Confined to one thread.
 */
final class ManagedLots implements AutoCloseable {
  private static final int DEGREE = 2;
  private static final int PATIENCE_SECONDS = 30;

  private final ChildProcess namingProcess;
  private final ChildProcess manager;
  private final NamingClient naming;
  private final BlockingQueue<ServiceReference> notices = new LinkedBlockingQueue<>();

  /**
   * Starts them.
   *
   * @param database URL and user of the database that effects and replies are stored in, or nothing
   */
  ManagedLots(Path folder, Path log, List<String> database) throws IOException {
    String namingAddress = free();
    String managerAddress = free();
    namingProcess =
        Jvm.start(
            Jvm.replicaCommand(
                NamingProcess.class,
                List.of(
                    "--listen",
                    namingAddress,
                    "--directory",
                    Files.createDirectories(folder.resolve("naming")).toString())),
            log);
    namingProcess.awaitReady();
    List<String> words =
        new ArrayList<>(List.of("{name}", "WARM_PASSIVE", "{address}", managerAddress, "managed"));
    words.addAll(database);
    manager =
        Jvm.start(
            Jvm.replicaCommand(
                ManagerProcess.class,
                List.of(
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
                    String.join(" ", Jvm.replicaCommand(LotsServer.class, words)))),
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

  NamingClient naming() {
    return naming;
  }

  /** The first reference of that epoch or a later one that lists two replicas. */
  ServiceReference await(long epoch) throws IOException, InterruptedException {
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
