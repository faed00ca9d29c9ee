package org.terrace.invocation.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.invocation.ServiceReference;
import org.terrace.invocation.naming.NamingClient;
import org.terrace.invocation.naming.NamingProcess;

/** The whole infrastructure as processes, and what becomes of it when some of them die. */
class InfrastructureProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void aKilledPrimaryIsSucceededByTheBackupAndReplaced() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes);
      startManager(processes, naming, 7501);
      try (NamingClient client = NamingClient.open(naming)) {
        BlockingQueue<ServiceReference> notices = new LinkedBlockingQueue<>();
        client.watch("echo", notices::add);
        ServiceReference before = awaitDegree(notices, 2);
        Processes.Answer primary = Processes.ask(before.profiles().getFirst());
        assertThat(primary.role()).isEqualTo("primary");
        assertThat(primary.epoch()).isEqualTo(before.epoch());

        long killedNanos = TimeSource.system().elapsedNanos();
        Processes.signal("KILL", primary.pid());
        ServiceReference after = notices.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        report("told of the new primary", killedNanos);

        assertThat(after.epoch()).isEqualTo(before.epoch() + 1);
        assertThat(after.profiles()).first().isEqualTo(before.profiles().get(1));
        assertThat(Processes.until(LIMIT, () -> isPrimary(after))).isTrue();
        report("the backup knows", killedNanos);
        ServiceReference restored = awaitDegree(notices, 2);
        report("redundancy restored", killedNanos);
        assertThat(restored.epoch()).isEqualTo(after.epoch());
      }
    }
  }

  private static boolean isPrimary(ServiceReference reference) {
    try {
      return Processes.ask(reference.profiles().getFirst()).role().equals("primary");
    } catch (java.io.IOException e) {
      return false;
    }
  }

  private static void report(String what, long sinceNanos) {
    System.out.printf(
        "%s after %.1f ms%n", what, (TimeSource.system().elapsedNanos() - sinceNanos) / 1e6);
  }

  private static ServiceReference awaitDegree(BlockingQueue<ServiceReference> notices, int degree)
      throws InterruptedException {
    while (true) {
      ServiceReference next = notices.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(next).as("a reference with " + degree + " replicas").isNotNull();
      if (next.profiles().size() == degree) {
        return next;
      }
    }
  }

  private String startNaming(Processes processes) throws Exception {
    return processes
        .start(
            Processes.java(
                NamingProcess.class,
                "--listen",
                "127.23.0.1:0",
                "--directory",
                directory.resolve("names").toString()),
            directory.resolve("naming.log"))
        .address();
  }

  private void startManager(Processes processes, String naming, int port) throws Exception {
    Files.createDirectories(directory.resolve("replicas"));
    String address = "127.23.0.2:" + port;
    List<String> command = Processes.java(EchoReplica.class, "{name}", "{address}", address);
    processes.start(
        Processes.java(
            ManagerProcess.class,
            "--managers",
            address,
            "--naming",
            naming,
            "--service",
            "echo",
            "--degree",
            "2",
            "--host",
            "127.23.0.3",
            "--directory",
            directory.resolve("replicas").toString(),
            "--command",
            String.join(" ", command)),
        directory.resolve("manager.log"));
  }
}
