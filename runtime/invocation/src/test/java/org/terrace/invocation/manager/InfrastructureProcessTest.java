package org.terrace.invocation.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.invocation.ClientOptions;
import org.terrace.middleware.Profile;
import org.terrace.invocation.ServiceClient;
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
      String naming = startNaming(processes, 1);
      startManagers(processes, naming, 1, "echo", EchoReplica.class);
      try (Client client = new Client(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Profile first = before.profiles().getFirst();
        assertThat(Processes.until(LIMIT, () -> knowsItIsPrimary(first)))
            .as("told that it is the primary")
            .isTrue();
        Processes.Answer primary = Processes.ask(first);
        assertThat(primary.epoch()).isEqualTo(before.epoch());

        Processes.signal("KILL", primary.pid());

        client.awaitSuccession(before);
      }
    }
  }

  @Test
  void aHungPrimaryIsConvictedKilledAndReplaced() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes, 1);
      startManagers(processes, naming, 1, "echo", EchoReplica.class);
      try (Client client = new Client(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Processes.Answer primary = Processes.ask(before.profiles().getFirst());

        Processes.signal("STOP", primary.pid());

        client.awaitSuccession(before);
        assertThat(Processes.until(LIMIT, () -> hasEnded(primary.pid()))).isTrue();
      }
    }
  }

  @Test
  void byHeartbeatsAloneACrashIsTakenForASilence() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes, 1);
      startManagers(processes, naming, 1, "echo", EchoReplica.class, "--detection", "heartbeats");
      try (Client client = new Client(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Processes.Answer primary = Processes.ask(before.profiles().getFirst());

        Processes.signal("KILL", primary.pid());

        client.awaitSuccession(before);
        assertThat(processes.ask("services")).contains("\"verdict\":\"hung\"");
      }
    }
  }

  @Test
  void theLossOfANamingProcessStopsNothing() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes, 3);
      startManagers(processes, naming, 1, "echo", EchoReplica.class);
      try (Client client = new Client(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        processes.kill(processes.named("naming1"));
        Processes.Answer primary = Processes.ask(before.profiles().getFirst());

        Processes.signal("KILL", primary.pid());

        client.awaitSuccession(before);
        assertThat(client.naming.resolve("echo")).get().isEqualTo(client.newest);
      }
    }
  }

  @Test
  void theLossOfTheLeadingManagerDuringAFailOverStopsNothing() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes, 1);
      startManagers(processes, naming, 2, "echo", EchoReplica.class);
      try (Client client = new Client(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        Processes.Answer primary = Processes.ask(before.profiles().getFirst());

        Processes.signal("KILL", primary.pid());
        processes.kill(processes.named("manager1"));

        client.awaitSuccession(before);
      }
    }
  }

  @Test
  void nothingOutlivesTheLastManagerEvenIfItIsKilled() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes, 1);
      startManagers(processes, naming, 1, "echo", EchoReplica.class);
      try (Client client = new Client(naming, "echo")) {
        ServiceReference before = client.awaitDegree(2);
        long first = Processes.ask(before.profiles().getFirst()).pid();
        long second = Processes.ask(before.profiles().getLast()).pid();

        processes.kill(processes.named("manager1"));

        assertThat(Processes.until(LIMIT, () -> hasEnded(first) && hasEnded(second))).isTrue();
      }
    }
  }

  @Test
  void callsGoOnWhileThePrimaryIsKilledAndItsSuccessorDrained() throws Exception {
    try (Processes processes = new Processes()) {
      String naming = startNaming(processes, 1);
      startManagers(processes, naming, 1, "clock", ClockReplica.class);
      try (Client client = new Client(naming, "clock");
          ServiceClient caller = ServiceClient.open(ClientOptions.of(client.naming))) {
        client.awaitDegree(2);
        Clock clock = caller.stub(Clock.class, "clock");
        assertThat(clock.count()).isEqualTo(1);
        List<String> first = List.of(clock.whoAnswers().split(" ", -1));

        Processes.signal("KILL", Long.parseLong(first.get(1)));
        String second = clock.whoAnswers().split(" ", -1)[0];
        client.awaitDegree(2);
        processes.tellManager("drain clock " + second);

        assertThat(second).isNotEqualTo(first.getFirst());
        assertThat(
                Processes.until(
                    LIMIT,
                    () -> {
                      clock.count();
                      return !clock.whoAnswers().startsWith(second + " ");
                    }))
            .isTrue();
        client.awaitDegree(2);
      }
    }
  }

  private static boolean knowsItIsPrimary(Profile replica) {
    try {
      return Processes.ask(replica).role().equals("primary");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasEnded(long pid) {
    return ProcessHandle.of(pid).isEmpty();
  }

  /** What a client of the service sees. */
  private static final class Client implements AutoCloseable {
    private final NamingClient naming;
    private final BlockingQueue<ServiceReference> notices = new LinkedBlockingQueue<>();
    private ServiceReference newest;

    Client(String addresses, String service) {
      naming = NamingClient.open(addresses);
      naming.watch(service, notices::add);
    }

    ServiceReference next() throws InterruptedException {
      ServiceReference next = notices.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(next).as("a newer reference than " + newest).isNotNull();
      newest = next;
      return next;
    }

    ServiceReference awaitDegree(int degree) throws InterruptedException {
      while (next().profiles().size() != degree) {
        assertThat(newest.profiles()).hasSizeLessThanOrEqualTo(degree + 1);
      }
      return newest;
    }

    /** The backup becomes the primary of the next epoch, and there are two replicas again. */
    void awaitSuccession(ServiceReference before) throws InterruptedException {
      long startNanos = TimeSource.system().elapsedNanos();
      while (next().epoch() == before.epoch()) {
        assertThat(newest.profiles().getFirst()).isEqualTo(before.profiles().getFirst());
      }
      ServiceReference after = newest;
      report("told of the new primary", startNanos);
      assertThat(after.epoch()).isEqualTo(before.epoch() + 1);
      assertThat(after.profiles()).first().isEqualTo(before.profiles().get(1));
      assertThat(Processes.until(LIMIT, () -> isPrimary(after))).isTrue();
      ServiceReference restored = after.profiles().size() == 2 ? after : awaitDegree(2);
      report("redundancy restored", startNanos);
      assertThat(restored.epoch()).isEqualTo(after.epoch());
      assertThat(restored.profiles()).doesNotContain(before.profiles().getFirst());
    }

    @Override
    public void close() {
      naming.close();
    }
  }

  private static boolean isPrimary(ServiceReference reference) {
    try {
      return Processes.ask(reference.profiles().getFirst()).role().equals("primary");
    } catch (IOException e) {
      return false;
    }
  }

  private static void report(String what, long sinceNanos) {
    System.out.printf(
        "%s after %.1f ms%n", what, (TimeSource.system().elapsedNanos() - sinceNanos) / 1e6);
  }

  /** Starts naming processes at fixed ports and gives their addresses. */
  private String startNaming(Processes processes, int number) throws Exception {
    List<String> addresses = addresses("127.23.0.1", number);
    for (int i = 0; i < number; i++) {
      List<String> others = new ArrayList<>(addresses);
      others.remove(i);
      String name = "naming" + (i + 1);
      processes.start(
          name,
          Processes.java(
              NamingProcess.class,
              "--listen",
              addresses.get(i),
              "--peers",
              String.join(",", others),
              "--directory",
              directory.resolve(name).toString()),
          directory.resolve(name + ".log"));
    }
    return String.join(",", addresses);
  }

  private void startManagers(
      Processes processes,
      String naming,
      int number,
      String service,
      Class<?> replica,
      String... more)
      throws Exception {
    Path replicas = Files.createDirectories(directory.resolve("replicas"));
    String managers = String.join(",", addresses("127.23.0.2", number));
    List<String> command = Processes.java(replica, "{name}", "{address}", managers);
    for (int i = 0; i < number; i++) {
      String name = "manager" + (i + 1);
      List<String> manager =
          Processes.java(
              ManagerProcess.class,
              "--managers",
              managers,
              "--rank",
              Integer.toString(i),
              "--naming",
              naming,
              "--service",
              service,
              "--degree",
              "2",
              "--host",
              "127.23.0.3",
              "--directory",
              replicas.toString(),
              "--command",
              String.join(" ", command));
      manager.addAll(List.of(more));
      processes.start(name, manager, directory.resolve(name + ".log"));
    }
  }

  /** Addresses with ports that were free just now. */
  private static List<String> addresses(String host, int number) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(host, 0));
        addresses.add(host + ":" + probe.getLocalPort());
      }
    }
    return addresses;
  }
}
