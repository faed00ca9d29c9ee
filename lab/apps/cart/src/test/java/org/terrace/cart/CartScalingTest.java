package org.terrace.cart;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.Flags;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.RegistryNaming;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** One replica, as a process, that may start a second one. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class CartScalingTest {
  private static final String HOST = "127.62.1.1";
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final List<ProcessHandle> processes = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    processes.forEach(ProcessHandle::destroyForcibly);
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  private Process startReplica(int port, int groupPort) throws Exception {
    List<String> command =
        JavaCommand.of(
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            CartServer.class,
            "--name",
            "app1",
            "--address",
            HOST,
            "--port",
            String.valueOf(port),
            "--group",
            HOST + ":" + groupPort,
            "--load-full",
            "2",
            "--scale-max",
            "2",
            "--end-with",
            String.valueOf(ProcessHandle.current().pid()));
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
    processes.add(process.process().toHandle());
    process.awaitReady();
    return process.process();
  }

  /** A member that comes after the others in every view, so that it is never its first. */
  private static Group joinLast(int groupPort) {
    String name =
        IntStream.iterate(0, i -> i + 1)
            .mapToObj(i -> "watcher" + i)
            .filter(each ->
                Stream.of("app1", "app1-1")
                    .allMatch(other -> Member.replicaOf(each) > Member.replicaOf(other)))
            .findFirst()
            .orElseThrow();
    return SoftStateProcess.join(
        CartServer.SERVICE,
        name,
        new InetSocketAddress(HOST, 0),
        Flags.of(new String[] {"--join", HOST + ":" + groupPort}));
  }

  @Test
  void aReplicaEndsWithTheOneThatStartedItIfItIsToldTo() throws Exception {
    int port = freePort();
    Process first = startReplica(port, freePort());
    Endpoint contact = new Endpoint("app1", "terrace", HOST, port, "");
    try (RegistryNaming naming = RegistryNaming.of(List.of(contact), Duration.ofMillis(200));
        ServiceClient client = ServiceClient.open(ClientOptions.of(naming))) {
      ShoppingCart cart = client.stub(ShoppingCart.class, CartServer.SERVICE);
      AtomicBoolean busy = new AtomicBoolean(true);
      List<Thread> users = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        users.add(
            Thread.startVirtualThread(() -> {
              while (busy.get()) {
                cart.burn(2_000);
              }
            }));
      }
      assertThat(Await.until(PATIENCE, () -> replicas(naming) == 2))
          .as("a second replica")
          .isTrue();
      busy.set(false);
      for (Thread user : users) {
        user.join();
      }
    }
    List<ProcessHandle> children = first.descendants().toList();
    processes.addAll(children);
    first.destroyForcibly();

    assertThat(children).isNotEmpty();
    for (ProcessHandle child : children) {
      assertThat(child.onExit().get(40, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  private static int replicas(RegistryNaming naming) {
    return naming.resolve(CartServer.SERVICE).map(found -> found.endpoints().size()).orElse(0);
  }

  private static boolean wasAnsweredBy(ServiceClient client, String other) {
    return client.attempts().stream()
        .flatMap(call -> call.steps().stream())
        .anyMatch(step ->
            step instanceof CallStep.Attempt attempt
                && attempt.ending() == CallStep.Ending.ANSWERED
                && attempt.replica().startsWith(other));
  }

  @Test
  void loadBringsOneMoreReplicaWhichFrontEndsUseAndCalmTakesOneAway() throws Exception {
    int port = freePort();
    int groupPort = freePort();
    Process first = startReplica(port, groupPort);
    Endpoint contact = new Endpoint("app1", "terrace", HOST, port, "");
    AtomicBoolean busy = new AtomicBoolean(true);
    AtomicInteger added = new AtomicInteger();
    List<Throwable> failures = new ArrayList<>();
    try (Group group = joinLast(groupPort);
        ReplicatedCollections watcher =
            ReplicatedCollections.open(group, CollectionsOptions.defaults());
        RegistryNaming naming = RegistryNaming.of(List.of(contact), Duration.ofMillis(200));
        ServiceClient client = ServiceClient.open(ClientOptions.of(naming))) {
      ShoppingCart cart = client.stub(ShoppingCart.class, CartServer.SERVICE);
      List<Thread> users = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        users.add(
            Thread.startVirtualThread(() -> {
              while (busy.get()) {
                try {
                  assertThat(cart.burn(2_000)).isPositive();
                  assertThat(cart.add("tea", 1)).isPositive();
                  added.incrementAndGet();
                } catch (InvocationException | AssertionError e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }
            }));
      }
      assertThat(Await.until(PATIENCE, () -> replicas(naming) == 2))
          .as("a second replica")
          .isTrue();
      first.descendants().forEach(processes::add);
      assertThat(Await.until(PATIENCE, () -> wasAnsweredBy(client, "app1-1")))
          .as("it answers")
          .isTrue();
      assertThat(processes).hasSize(2);
      busy.set(false);
      for (Thread user : users) {
        user.join();
      }
      assertThat(Await.until(PATIENCE, () -> replicas(naming) == 1)).as("one replica").isTrue();
      assertThat(
              Await.until(
                  PATIENCE, () -> processes.stream().filter(ProcessHandle::isAlive).count() == 1))
          .as("one process")
          .isTrue();
      assertThat(failures).isEmpty();
      assertThat(Await.until(PATIENCE, () -> cart.check("tea") == added.get()))
          .as("nothing lost")
          .isTrue();
      assertThat(Await.until(PATIENCE, () -> group.view().members().size() == 2)).isTrue();
      long rounds = watcher.metrics().gossipRounds();
      assertThat(Await.until(PATIENCE, () -> watcher.metrics().gossipRounds() > rounds + 2))
          .isTrue();
      assertThat(watcher.metrics().replicasKnown()).isEqualTo(3);
      assertThat(watcher.metrics().replicasAway()).as("nobody waits for it").isZero();
    }
    processes.forEach(ProcessHandle::destroy);
    for (ProcessHandle process : processes) {
      assertThat(process.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }
}
