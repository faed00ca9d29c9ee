package org.terrace.cart.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedCounter;
import org.terrace.collections.RequestDeduplication;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.RequestIdentity;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.groups.service.GroupServices;
import org.terrace.groups.service.ProcessLauncher;
import org.terrace.groups.service.ReplicaLauncher;
import org.terrace.groups.service.ScalingOptions;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** The examples of the guide to services over soft state, over real sockets. */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class SoftStateServicesGuideTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Sells tickets. */
  public interface Tickets {
    @Update
    int sell(int count);

    @Read
    int sold();
  }

  private record CountedTickets(ReplicatedCounter counter, CountDownLatch released)
      implements Tickets {
    private static final int HANGS = 1_000_000;

    CountedTickets(ReplicatedCounter counter) {
      this(counter, new CountDownLatch(1));
    }

    @Override
    public int sell(int count) {
      if (count == HANGS) {
        awaitRelease();
      }
      counter.add(count);
      return sold();
    }

    private void awaitRelease() {
      try {
        assertThat(released.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public int sold() {
      return (int) counter.get();
    }
  }

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private Group join(String name, List<InetSocketAddress> others) {
    Group group = Groups.open(GroupOptions.of("tickets", name, Discovery.of(others)));
    open.add(group);
    return group;
  }

  private ReplicatedCollections collections(Group group) {
    var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults());
    open.add(collections);
    return collections;
  }

  private ServiceServer replica(Group group, ReplicatedCollections collections) {
    ReplicatedCounter sold = collections.counter("sold", WriteLevel.LOCAL);
    RequestDeduplication requests =
        RequestDeduplication.open(collections, "tickets", WriteLevel.LOCAL);
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(group.self().name())
                .withSoftState(requests::execute, () -> collections.metrics().gaps() > 0));
    server.export("tickets", Tickets.class, new CountedTickets(sold), Style.SOFT_STATE);
    open.add(server);
    return server;
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).isTrue();
  }

  private static Naming naming(List<Endpoint> replicas) {
    return Naming.fixed(new ServiceReference("tickets", Style.SOFT_STATE, 1, 1, replicas));
  }

  @Test
  void theOneClientCallsAServiceOfSoftStateAndLogsItsAttempts() {
    Group first = join("app1", List.of());
    Group second = join("app2", List.of(first.self().address()));
    ServiceServer one = replica(first, collections(first));
    ServiceServer two = replica(second, collections(second));
    await(() -> first.view().members().size() == 2 && second.view().members().size() == 2);
    Naming naming = naming(List.of(one.endpoint(), two.endpoint()));
    try (ServiceClient client = ServiceClient.open(ClientOptions.of(naming))) {
      Tickets tickets = client.stub(Tickets.class, "tickets");
      tickets.sell(2);
      tickets.sell(3);
      CallRecord last = client.attempts().getLast();
      System.out.println(last);
      assertThat(last.outcome()).isEqualTo(Outcome.DONE);
      assertThat(last.method()).isEqualTo("sell");
      assertThat(last.steps())
          .anySatisfy(step ->
              assertThat(step)
                  .isInstanceOfSatisfying(
                      CallStep.Attempt.class,
                      attempt -> assertThat(attempt.ending()).isEqualTo(CallStep.Ending.ANSWERED)));
      await(() -> tickets.sold() == 5);
      one.close();
      assertThat(tickets.sell(1)).isEqualTo(6);
      assertThat(client.softStateCounters("tickets")).isPresent();
    }
  }

  @Test
  void aCallThatHangsIsNotTooOldThoughManyOthersAreMade() throws Exception {
    Group group = join("app1", List.of());
    ReplicatedCollections collections = collections(group);
    CountedTickets tickets = new CountedTickets(collections.counter("sold", WriteLevel.LOCAL));
    RequestDeduplication requests =
        RequestDeduplication.open(collections, "tickets", WriteLevel.LOCAL);
    ServiceServer server =
        ServiceServer.open(ServerOptions.of("app1").withSoftState(requests::execute, () -> false));
    open.add(server);
    server.export("tickets", Tickets.class, tickets, Style.SOFT_STATE);
    try (ServiceClient client =
        ServiceClient.open(ClientOptions.of(naming(List.of(server.endpoint()))))) {
      Tickets stub = client.stub(Tickets.class, "tickets");
      CompletableFuture<Integer> hanging =
          CompletableFuture.supplyAsync(() -> stub.sell(CountedTickets.HANGS));
      int others = RequestIdentity.PLACES + 100;
      for (int i = 0; i < others; i++) {
        stub.sell(1);
      }
      tickets.released.countDown();

      assertThat(hanging.get(30, TimeUnit.SECONDS)).isEqualTo(CountedTickets.HANGS + others);
      assertThat(requests.metrics().tooOld()).isZero();
    }
  }

  @Test
  void theGroupKnowsWhoOffersAService() {
    Group group = join("app1", List.of());
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
    ProcessLauncher launcher =
        new ProcessLauncher("app1", name -> false, (service, replica) -> List.of("true"));
    open.add(launcher);
    register(group, launcher, address, () -> 0.5, () -> {});
  }

  private static void register(
      Group group,
      ReplicaLauncher launcher,
      InetSocketAddress address,
      DoubleSupplier load,
      Runnable retire) {
    GroupServices services = GroupServices.open(group, Duration.ofMillis(200), launcher);
    services.offer("tickets", address, load, retire);
    services.scale("tickets", ScalingOptions.defaults());
    assertThat(services.replicas("tickets")).hasSize(1);
  }
}
