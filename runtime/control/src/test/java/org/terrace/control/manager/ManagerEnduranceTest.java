package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.launcher.Launcher;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkServer;
import org.terrace.control.naming.NamingServer;
import org.terrace.control.naming.Registrar;
import org.terrace.core.TimeSource;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/** A manager goes on after what fails in it, and is not alive to others while it stands still. */
@Tag("real-processes")
class ManagerEnduranceTest {
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("127.63.6.1", 0);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long SILENCE_NANOS = 500_000_000;

  /** Of the pauses of the registrar, which decide nothing here. */
  private static final long SEED = 1;

  @TempDir private Path directory;
  private final TimeSource time = TimeSource.system();
  private final Set<String> killed = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean fails = new AtomicBoolean();
  private final AtomicLong lastBeatNanos = new AtomicLong(Long.MAX_VALUE);
  private NamingServer naming;
  private LinkServer peer;
  private ManagerServer manager;

  @BeforeEach
  void open() {
    naming = NamingServer.open(ANYWHERE, List.of(), directory.resolve("names"));
    peer = LinkServer.open(ANYWHERE, ControlSecret.none(), this::countBeats);
    manager =
        new ManagerServer(
            handler -> LinkServer.open(ANYWHERE, ControlSecret.none(), handler),
            ControlSecret.none(),
            bound ->
                ManagerOptions.of(
                    new Endpoint(
                        "manager1", "manager", bound.getHostString(), bound.getPort(), "none"),
                    "k",
                    0,
                    List.of(ServiceOptions.of("seats", Style.WARM_PASSIVE, 1))),
            List.of(peer.address()),
            notices ->
                new Registrar(
                    List.of(naming.address()),
                    ControlSecret.none(),
                    new OnceFailing(Seeds.generator(SEED)),
                    List.of("seats"),
                    notices),
            new NoLauncher(),
            line -> {});
  }

  @AfterEach
  void close() {
    manager.close();
    peer.close();
    naming.close();
  }

  private void countBeats(Socket socket) throws IOException {
    try (Link link = Link.accept(socket, ControlSecret.none())) {
      while (true) {
        if (ManagerMessage.decode(link.receive()) instanceof ManagerMessage.Beat) {
          lastBeatNanos.set(time.elapsedNanos());
        }
      }
    }
  }

  private static Endpoint endpoint(String replica, String key) {
    return new Endpoint(replica, "terrace", "127.63.6.2", 7_000, key);
  }

  private boolean lists(String replica) {
    return manager
        .ask(core -> {
          var present = core.keepers().get("seats").present();
          return present != null
              && present.reference().endpoints().stream()
                  .anyMatch(endpoint -> endpoint.replica().equals(replica));
        })
        .join();
  }

  private boolean isSilent() {
    long last = lastBeatNanos.get();
    return last != Long.MAX_VALUE && time.elapsedNanos() - last > SILENCE_NANOS;
  }

  /** Draws the pauses between the registrar's rounds, and fails when told to. */
  private final class OnceFailing implements RandomGenerator {
    private final RandomGenerator source;

    OnceFailing(RandomGenerator source) {
      this.source = source;
    }

    @Override
    public long nextLong() {
      return source.nextLong();
    }

    @Override
    public long nextLong(long origin, long bound) {
      if (fails.getAndSet(false)) {
        throw new OutOfMemoryError("planted");
      }
      return source.nextLong(origin, bound);
    }
  }

  @Test
  void anErrorInAChangeOfNamesCostsThatChangeAlone() {
    InetSocketAddress address = naming.address();
    assertThat(Await.until(LIMIT, () -> manager.ask(ManagerCore::isLeading).join())).isTrue();
    naming.close();
    fails.set(true);
    assertThat(Await.until(LIMIT, () -> !fails.get())).isTrue();
    naming = NamingServer.open(address, List.of(), directory.resolve("names"));

    manager.submit(new ManagerEvent.ReplicaUp("seats", endpoint("seats-1-1", ""), 1));

    assertThat(Await.until(LIMIT, () -> lists("seats-1-1"))).isTrue();
    assertThat(manager.failures()).isOne();
  }

  @Test
  void anEventThatFailsCostsItselfAlone() throws Exception {
    manager.submit(new ManagerEvent.WantMore("a service that nobody has"));
    assertThat(manager.ask(ManagerCore::knownTerm).get(LIMIT.toSeconds(), TimeUnit.SECONDS))
        .isNotNegative();
    assertThat(manager.failures()).isOne();
  }

  @Test
  void aManagerThatStandsStillIsNotAliveToTheOthers() {
    assertThat(Await.until(LIMIT, () -> lastBeatNanos.get() != Long.MAX_VALUE)).isTrue();
    CountDownLatch goOn = new CountDownLatch(1);
    var standing =
        manager.ask(core -> {
          try {
            return goOn.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(Await.until(LIMIT.dividedBy(2), this::isSilent)).isTrue();
    goOn.countDown();
    assertThat(standing.join()).isTrue();
    assertThat(Await.until(LIMIT, () -> !isSilent())).isTrue();
  }

  @Test
  void aReplicaThatCannotBeRegisteredLeavesTheNextOneItsPlace() throws Exception {
    try (Link endless = Link.connect(manager.address(), LIMIT, ControlSecret.none())) {
      String key = "x".repeat(Link.FRAME_BYTES_MAX - 100);
      endless.send(
          ManagerMessage.encode(
              new ManagerMessage.ReplicaHello("seats", endpoint("seats-9-1", key), 1L << 40)));
      assertThat(Await.until(LIMIT, () -> manager.failures() > 0)).isTrue();
    }
    try (ReplicaAgent _ = agent("seats-9-2", () -> true, new Obedient())) {
      assertThat(Await.until(LIMIT, () -> lists("seats-9-2"))).isTrue();
    }
  }

  @Test
  void aReplicaThatFailsAtAnOrderIsToldAgain() {
    AtomicInteger orders = new AtomicInteger();
    ReplicaAgent.Listener clumsy =
        new ReplicaAgent.Listener() {
          @Override
          public void assigned(ServiceReference reference) {
            if (orders.incrementAndGet() == 1) {
              throw new IllegalStateException("the first order is too much");
            }
          }

          @Override
          public void drain() {
            orders.incrementAndGet();
          }
        };
    AtomicInteger beats = new AtomicInteger();
    BooleanSupplier healthy =
        () -> {
          if (beats.incrementAndGet() == 2) {
            throw new IllegalStateException("no idea whether it is well");
          }
          return true;
        };
    try (ReplicaAgent _ = agent("seats-9-3", healthy, clumsy)) {
      assertThat(Await.until(LIMIT, () -> orders.get() > 1 && beats.get() > 2)).isTrue();
      assertThat(Await.until(LIMIT, () -> lists("seats-9-3"))).isTrue();
    }
  }

  @Test
  void aReplicaThatIsUnwellIsTakenOutAndEnded() {
    AtomicBoolean well = new AtomicBoolean(true);
    try (ReplicaAgent _ = agent("seats-9-4", well::get, new Obedient())) {
      assertThat(Await.until(LIMIT, () -> lists("seats-9-4"))).isTrue();
      well.set(false);
      assertThat(Await.until(LIMIT, () -> killed.contains("seats-9-4"))).isTrue();
    }
  }

  private ReplicaAgent agent(
      String replica, BooleanSupplier healthy, ReplicaAgent.Listener listener) {
    return ReplicaAgent.open(
        "seats",
        endpoint(replica, ""),
        List.of(manager.address()),
        ControlSecret.none(),
        healthy,
        () -> 0,
        listener);
  }

  /** A replica that does whatever it is told. */
  private static final class Obedient implements ReplicaAgent.Listener {
    @Override
    public void assigned(ServiceReference reference) {
      // There is nothing to serve.
    }

    @Override
    public void drain() {
      // There are no calls.
    }
  }

  /** A launcher that starts nothing: the replicas of these tests come by themselves. */
  private final class NoLauncher implements Launcher {
    @Override
    public void launch(String service, String replica, Consumer<Ended> ended) {
      ended.accept(new Ended(service, replica, "is not started by this test"));
    }

    @Override
    public void kill(String replica, long pid) {
      killed.add(replica); // Nothing was started, and nothing is ended.
    }

    @Override
    public void close() {
      // Nothing to end.
    }
  }
}
