package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.FailOverOptions;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

@Tag("real-processes")
class FailOverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Without improvements a client waits for 5 s once it has asked for a primary in vain. */
  private static final Duration LESS_THAN_THE_WAIT = Duration.ofSeconds(4);

  /** A service that can be made to hang. */
  public interface Turnstile {
    @Update
    int pass(String replicaThatHangs);

    @Read
    String where();
  }

  private final AtomicInteger passed = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);
  private final MemoryExecution retained = new MemoryExecution();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    released.countDown();
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private ServiceServer replica(String name, Style style) {
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withCallsMax(2)
                .withExecution(
                    (service, epoch) -> style == Style.ACTIVE ? retained : new MemoryExecution()));
    open.add(server);
    server.export(
        "turnstile",
        Turnstile.class,
        new Turnstile() {
          @Override
          public int pass(String replicaThatHangs) {
            if (replicaThatHangs.equals(name)) {
              await();
            }
            return passed.incrementAndGet();
          }

          @Override
          public String where() {
            return name;
          }
        },
        style);
    return server;
  }

  private void await() {
    inside.incrementAndGet();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ServiceClient client(ClientOptions options) {
    ServiceClient client = ServiceClient.open(options);
    open.add(client);
    return client;
  }

  private static Naming naming(Style style, ServiceServer... servers) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (ServiceServer server : servers) {
      endpoints.add(server.endpoint());
    }
    return Naming.fixed(new ServiceReference("turnstile", style, 1, 1, endpoints));
  }

  @Test
  void aCallThatHangsIsAnsweredByAnotherReplica() {
    Naming naming =
        naming(
            Style.WARM_PASSIVE,
            replica("server1", Style.WARM_PASSIVE),
            replica("server2", Style.WARM_PASSIVE));
    ServiceClient client = client(ClientOptions.of(naming));
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");

    assertThat(turnstile.pass("server1")).isEqualTo(1);

    CallRecord last = client.attempts().getLast();
    assertThat(last.outcome()).isEqualTo(Outcome.DONE);
    assertThat(last.toString()).contains("turnstile.pass: done", "overtaken after", "server2: ");
    assertThat(last.breakdown().detectNanos()).isPositive();
  }

  @Test
  void aDrainedReplicaFailsNoCall() throws Exception {
    ServiceServer first = replica("server1", Style.WARM_PASSIVE);
    ServiceServer second = replica("server2", Style.WARM_PASSIVE);
    ServiceClient client =
        client(ClientOptions.of(naming(Style.WARM_PASSIVE, first, second)).withoutHedging());
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");
    assertThat(turnstile.pass("")).isEqualTo(1);

    assertThat(first.drain(Duration.ofSeconds(5))).isTrue();
    assertThat(turnstile.pass("")).isEqualTo(2);
    first.close();

    for (int i = 0; i < 20; i++) {
      assertThat(turnstile.pass("")).isEqualTo(3 + i);
    }
  }

  @Test
  void anActiveServiceAnswersWithTheFirstReplyAndTakesEffectOnce() {
    Naming naming =
        naming(Style.ACTIVE, replica("server1", Style.ACTIVE), replica("server2", Style.ACTIVE));
    ServiceClient client = client(ClientOptions.of(naming));
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");

    for (int i = 1; i <= 50; i++) {
      assertThat(turnstile.pass("")).isEqualTo(i);
    }

    assertThat(passed).hasValue(50);
  }

  @Test
  void withoutImprovementsALostPrimaryIsAskedForTwiceAndThenWaitedFor() {
    ServiceServer first = replica("server1", Style.WARM_PASSIVE);
    ServiceServer second = replica("server2", Style.WARM_PASSIVE);
    ServiceClient client =
        client(
            ClientOptions.of(naming(Style.WARM_PASSIVE, first, second))
                .withFailOver(FailOverOptions.none())
                .withDeadline(LESS_THAN_THE_WAIT));
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");
    assertThat(turnstile.where()).isEqualTo("server1");

    first.close();

    assertThatThrownBy(() -> turnstile.pass(""))
        .isInstanceOfSatisfying(
            InvocationException.class,
            failure -> assertThat(failure.outcome()).isIn(Outcome.NOT_EXECUTED, Outcome.UNKNOWN));
    CallRecord last = client.attempts().getLast();
    assertThat(last.steps().stream().filter(CallStep.Lookup.class::isInstance)).hasSize(2);
    assertThat(last.steps().stream().filter(CallStep.Attempt.class::isInstance)).hasSize(3);
  }

  @Test
  void theNoticeOfANewPrimaryEndsTheWait() throws Exception {
    ServiceServer first = replica("server1", Style.WARM_PASSIVE);
    ServiceServer second = replica("server2", Style.WARM_PASSIVE);
    FailOverMain.LocalNaming naming = new FailOverMain.LocalNaming("turnstile");
    naming.register(List.of(first.endpoint()));
    ServiceClient client =
        client(
            ClientOptions.of(naming).withFailOver(FailOverOptions.none().withPromptNotice(true)));
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");
    assertThat(turnstile.where()).isEqualTo("server1");
    first.close();
    AtomicReference<String> answer = new AtomicReference<>();
    Thread caller = Thread.ofVirtual().start(() -> answer.set(turnstile.where()));

    naming.awaitLookups(3);
    naming.register(List.of(second.endpoint()));

    assertThat(caller.join(Duration.ofSeconds(4))).isTrue();
    assertThat(answer).hasValue("server2");
  }

  @Test
  void noReadWaitsForTheConnectionToANewReplica() throws Exception {
    ServiceServer first = replica("server1", Style.WARM_PASSIVE);
    FailOverMain.LocalNaming naming = new FailOverMain.LocalNaming("turnstile");
    naming.register(List.of(first.endpoint()));
    // A hedge would send a read that takes long on a busy machine to the new replica, too.
    ServiceClient client = client(ClientOptions.of(naming).withoutHedging());
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");
    assertThat(turnstile.where()).isEqualTo("server1");

    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String host = silent.getInetAddress().getHostAddress();
      Endpoint fresh = new Endpoint("server2", "terrace", host, silent.getLocalPort(), "");
      naming.register(List.of(first.endpoint(), fresh));

      for (int i = 0; i < 20; i++) {
        assertThat(turnstile.where()).isEqualTo("server1");
      }
    }
    assertThat(client.attempts()).noneMatch(call -> call.toString().contains("server2"));
  }

  @Test
  void aFullServerTurnsCallsAwayUnexecuted() throws Exception {
    ServiceServer only = replica("server1", Style.NONE);
    ServiceClient client = client(ClientOptions.of(naming(Style.NONE, only)));
    Turnstile turnstile = client.stub(Turnstile.class, "turnstile");
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      waiting.add(Thread.ofVirtual().start(() -> passAtLast(turnstile)));
    }
    assertThat(Await.until(PATIENCE, () -> inside.get() == 2)).isTrue();

    assertThatThrownBy(turnstile::where)
        .isInstanceOfSatisfying(
            InvocationException.class,
            failure -> assertThat(failure.outcome()).isEqualTo(Outcome.NOT_EXECUTED))
        .hasMessageContaining("overload");

    released.countDown();
    for (Thread each : waiting) {
      assertThat(each.join(Duration.ofSeconds(5))).isTrue();
    }
    assertThat(only.rejected()).isPositive();
  }

  /** Passes, though the first calls of a client may find its own greetings under way. */
  private static void passAtLast(Turnstile turnstile) {
    while (true) {
      try {
        turnstile.pass("server1");
        return;
      } catch (InvocationException e) {
        assertThat(e.outcome()).isEqualTo(Outcome.NOT_EXECUTED);
      }
    }
  }
}
