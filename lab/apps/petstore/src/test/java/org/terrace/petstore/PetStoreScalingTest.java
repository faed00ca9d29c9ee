package org.terrace.petstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.Flags;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.RegistryNaming;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** The pet store as processes, whose front end knows one of them and learns of the others. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class PetStoreScalingTest {
  private static final String HOST = "127.42.1.1";
  private static final String BUSY = PetServiceKind.CPU_SMALL.service();
  private static final String CALM = PetServiceKind.NULL.service();
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir Path folder;
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

  private Process start(String name, int port, String... further) throws Exception {
    List<String> command =
        JavaCommand.of(
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            PetStoreServer.class,
            "--name",
            name,
            "--address",
            HOST,
            "--port",
            String.valueOf(port),
            "--directory",
            folder.toString());
    command.addAll(List.of(further));
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
    processes.add(process.process().toHandle());
    process.awaitReady();
    return process.process();
  }

  private static Set<String> replicas(RegistryNaming naming, String service) {
    Set<String> names = new TreeSet<>();
    naming
        .resolve(service)
        .ifPresent(found -> found.endpoints().forEach(endpoint -> names.add(endpoint.replica())));
    return names;
  }

  private static Endpoint contact(int port) {
    return new Endpoint("contact", "terrace", HOST, port, "");
  }

  private static boolean wasAnsweredBy(ServiceClient client, String replica) {
    return client.attempts().stream()
        .flatMap(call -> call.steps().stream())
        .anyMatch(step ->
            step instanceof CallStep.Attempt attempt
                && attempt.ending() == CallStep.Ending.ANSWERED
                && attempt.replica().equals(replica));
  }

  @Test
  void aFrontEndAsksReplicasThatCameLaterAndGoesOnWhenOneIsKilled() throws Exception {
    int port = freePort();
    int groupPort = freePort();
    start("shop1", port, "--group", HOST + ":" + groupPort, "--cpu-micros", "100");
    AtomicBoolean open = new AtomicBoolean(true);
    AtomicLong noted = new AtomicLong();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    try (RegistryNaming naming = RegistryNaming.of(List.of(contact(port)), Duration.ofMillis(200));
        ServiceClient client = ServiceClient.open(ClientOptions.of(naming))) {
      assertThat(PetServiceKind.values())
          .allSatisfy(
              kind -> assertThat(replicas(naming, kind.service())).containsExactly("shop1"));
      PetService busy = client.stub(PetService.class, BUSY);
      PetService calm = client.stub(PetService.class, CALM);
      Thread visitor =
          Thread.startVirtualThread(() -> {
            while (open.get()) {
              try {
                busy.note("cat");
                calm.query("cat");
                noted.incrementAndGet();
                LockSupport.parkNanos(5_000_000);
              } catch (InvocationException e) {
                failures.add(e);
              }
            }
          });
      Process second = start("shop2", 0, "--join", HOST + ":" + groupPort, "--cpu-micros", "100");
      assertThat(
              Await.until(PATIENCE, () -> replicas(naming, CALM).equals(Set.of("shop1", "shop2"))))
          .isTrue();
      assertThat(Await.until(PATIENCE, () -> wasAnsweredBy(client, "shop2")))
          .as("the second answers")
          .isTrue();

      assertThat(
              PetStoreLoad.run(
                  Flags.of(
                      new String[] {
                        "--join",
                        HOST + ":" + port,
                        "--clients",
                        "2",
                        "--pause-ms",
                        "20",
                        "--duration-s",
                        "1",
                        "--json",
                        folder.resolve("load.json").toString()
                      })))
          .isTrue();
      assertThat(Files.readString(folder.resolve("load.json"))).contains("\"replicas\": 2");

      second.destroyForcibly();
      second.waitFor();
      assertThat(Await.until(PATIENCE, () -> replicas(naming, CALM).equals(Set.of("shop1"))))
          .isTrue();
      long before = noted.get();
      assertThat(Await.until(PATIENCE, () -> noted.get() > before + 20)).as("pages go on").isTrue();
      open.set(false);
      visitor.join();
      assertThat(failures).isEmpty();
      assertThat(busy.query("cat")).isEqualTo(noted.get());
    }
  }

  @Test
  void theBusyServiceAloneGetsAnotherReplicaAndGivesOneUpInTheCalm() throws Exception {
    int port = freePort();
    Process first =
        start(
            "shop1",
            port,
            "--group",
            HOST + ":" + freePort(),
            "--services",
            BUSY + "," + CALM,
            "--cpu-micros",
            "2000",
            "--load-full",
            "2",
            "--scale-max",
            "2");
    try (RegistryNaming naming = RegistryNaming.of(List.of(contact(port)), Duration.ofMillis(200));
        ServiceClient client = ServiceClient.open(ClientOptions.of(naming))) {
      PetService busy = client.stub(PetService.class, BUSY);
      AtomicBoolean open = new AtomicBoolean(true);
      AtomicLong noted = new AtomicLong();
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      List<Thread> visitors = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        visitors.add(
            Thread.startVirtualThread(() -> {
              while (open.get()) {
                try {
                  busy.note("cat");
                  noted.incrementAndGet();
                } catch (InvocationException e) {
                  failures.add(e);
                }
              }
            }));
      }
      assertThat(Await.until(PATIENCE, () -> replicas(naming, BUSY).size() == 2))
          .as("one more")
          .isTrue();
      first.descendants().forEach(processes::add);
      assertThat(Await.until(PATIENCE, () -> wasAnsweredBy(client, "shop1-1")))
          .as("it answers")
          .isTrue();
      assertThat(replicas(naming, CALM)).containsExactly("shop1");
      open.set(false);
      for (Thread visitor : visitors) {
        visitor.join();
      }
      assertThat(Await.until(PATIENCE, () -> replicas(naming, BUSY).size() == 1))
          .as("one less")
          .isTrue();
      assertThat(failures).isEmpty();
      assertThat(Await.until(PATIENCE, () -> busy.query("cat") == noted.get()))
          .as("nothing lost")
          .isTrue();
    }
    processes.forEach(ProcessHandle::destroy);
    for (ProcessHandle process : processes) {
      assertThat(process.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }
}
