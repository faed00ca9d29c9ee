package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.link.Link;
import org.terrace.core.TimeSource;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/**
 * Naming processes whose disks take nothing for a while, or hold more names than go into a frame.
 */
@Tag("real-processes")
class NamingStorageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long AGE = Ballot.nextAge(0);
  private static final int NAMES = 9_000;
  private static final int FLOORS = 900;
  private static final Duration AFTER_CLOSING = Duration.ofMillis(300);

  @TempDir private Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private <T extends AutoCloseable> T closing(T resource) {
    opened.add(resource);
    return resource;
  }

  /** A folder stands where the new file is to be written, which stops even a privileged user. */
  private static void breakDisk(Path disk) throws IOException {
    Files.createDirectories(disk.resolve("names.unfinished"));
  }

  private static void mendDisk(Path disk) throws IOException {
    Files.delete(disk.resolve("names.unfinished"));
  }

  private static InetSocketAddress address(int process) {
    return new InetSocketAddress("127.63.3." + (20 + process), 7_463);
  }

  private NamingServer server(int process, int processes) {
    List<InetSocketAddress> others = new ArrayList<>();
    for (int other = 0; other < processes; other++) {
      if (other != process) {
        others.add(address(other));
      }
    }
    return closing(NamingServer.open(address(process), others, disk(process)));
  }

  private Path disk(int process) {
    return directory.resolve("names" + process);
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).isTrue();
  }

  private static Registration value(String service, long version) {
    Endpoint endpoint =
        new Endpoint(
            service + "-1-1", "terrace", "host-of-" + service + ".example.org", 7_000, "key");
    return new Registration(
        new ServiceReference(service, Style.WARM_PASSIVE, 1, version, List.of(endpoint)), 1, 2);
  }

  private static void send(Link link, NamingMessage message) {
    link.send(NamingCodec.encode(message));
  }

  @Test
  void aFloorIsAnsweredOnceItIsOnTheDisk() throws Exception {
    NamingServer server = server(0, 1);
    try (Link link = Link.connect(server.address(), PATIENCE, ControlSecret.none())) {
      breakDisk(disk(0));
      for (int attempt = 1; attempt <= 3; attempt++) {
        send(link, new NamingMessage.Enter(attempt, AGE));
      }
      send(link, new NamingMessage.Resolve(4, "seats"));
      assertThat(NamingCodec.decode(link.receive()))
          .as("looking up goes on, and nothing is promised before")
          .isEqualTo(new NamingMessage.Resolved(4, null));
      assertThat(server.failedSaves()).isGreaterThanOrEqualTo(3);
      assertThat(server.isHealthy()).isFalse();

      mendDisk(disk(0));
      send(link, new NamingMessage.Enter(5, AGE));
      assertThat(NamingCodec.decode(link.receive()))
          .isInstanceOfSatisfying(
              NamingMessage.Entered.class, entered -> assertThat(entered.floor()).isEqualTo(AGE));
      assertThat(server.isHealthy()).isTrue();
      assertThat(new NamingStore(disk(0)).load().floor()).isEqualTo(AGE);
    }
  }

  @Test
  void aProcessWhoseDiskFailedForAWhileGoesOnHearingFromTheOthers() throws Exception {
    List<NamingServer> servers = List.of(server(0, 3), server(1, 3), server(2, 3));
    await(() -> servers.stream().allMatch(NamingServer::isHealthy));
    Registrar registrar =
        closing(
            new Registrar(
                List.of(address(0), address(1)),
                ControlSecret.none(),
                Seeds.generator(Seeds.next("aProcessWhoseDiskFailedForAWhile")),
                List.of(),
                value -> {}));
    breakDisk(disk(2));
    assertThat(registrar.change(value("seats", 1), PATIENCE.toMillis()))
        .isEqualTo(new Registrar.Result.Present(value("seats", 1)));
    await(() -> servers.get(2).chosen("seats") != null && servers.get(2).failedSaves() > 0);
    mendDisk(disk(2));
    await(servers.get(2)::isHealthy);
    assertThat(registrar.change(value("seats", 2), PATIENCE.toMillis()))
        .isEqualTo(new Registrar.Result.Present(value("seats", 2)));
    await(() -> value("seats", 2).equals(servers.get(2).chosen("seats")));
    await(() ->
        new NamingStore(disk(2)).load().slots().get("seats").chosen().equals(value("seats", 2)));
  }

  @Test
  void aProcessThatIsClosedWritesNothingAnyMore() throws Exception {
    NamingServer server = server(0, 1);
    try (Link link = Link.connect(server.address(), PATIENCE, ControlSecret.none())) {
      for (int i = 1; i <= FLOORS; i++) {
        send(link, new NamingMessage.Enter(i, i * AGE));
      }
      link.receive();
      server.close();
      long floor = new NamingStore(disk(0)).load().floor();
      assertThat(floor).isBetween(AGE, FLOORS * AGE);
      long endNanos = TimeSource.system().elapsedNanos() + AFTER_CLOSING.toNanos();
      await(() -> TimeSource.system().elapsedNanos() > endNanos);
      assertThat(new NamingStore(disk(0)).load().floor()).isEqualTo(floor);
    }
  }

  @Test
  void aLinkGoesOnWhateverAHandlerThrows() throws Exception {
    NamingServer server = server(0, 1);
    BlockingQueue<NamingMessage> received = new LinkedBlockingQueue<>();
    NamingLink link =
        closing(
            new NamingLink(
                server.address(),
                ControlSecret.none(),
                message -> {
                  received.add(message);
                  if (received.size() == 1) {
                    throw new IllegalStateException("the first is too much");
                  } else if (received.size() == 2) {
                    throw new StackOverflowError("and so is the second");
                  }
                },
                () -> {
                  throw new IllegalStateException("connected");
                }));
    await(link::isConnected);
    for (int id = 0; id < 3; id++) {
      assertThat(link.send(new NamingMessage.Resolve(id, "seats"))).isTrue();
    }
    await(() -> received.size() == 3);
    assertThat(link.failures()).isGreaterThanOrEqualTo(3);
    assertThat(received.poll(0, TimeUnit.SECONDS)).isInstanceOf(NamingMessage.Resolved.class);
  }

  @Test
  void aProcessThatLostItsDiskVotesAgainBesideThousandsOfNames() throws Exception {
    SortedMap<String, Acceptor.Slot> slots = new TreeMap<>();
    for (int i = 0; i < NAMES; i++) {
      Registration value = value("a-service-of-some-length-" + i, 1);
      slots.put(
          value.service(),
          new Acceptor.Slot(new Ballot(1, 1), new Ballot(1, 1), value, i % 2 == 0 ? value : null));
    }
    for (int process = 0; process < 2; process++) {
      new NamingStore(disk(process))
          .save(new StoredNames(true, process, Set.of(0L, 1L, 2L), 0, slots));
    }
    assertThat(Files.size(disk(0).resolve("names"))).isGreaterThan(2L * Link.FRAME_BYTES_MAX);
    NamingServer first = server(0, 3);
    server(1, 3);
    NamingServer lost = server(2, 3);
    await(lost::isHealthy);

    StoredNames told = new NamingStore(disk(2)).load();
    assertThat(told.slots().keySet()).isEqualTo(slots.keySet());
    assertThat(told.slots().lastEntry().getValue().value())
        .isEqualTo(slots.lastEntry().getValue().value());
    assertThat(told.founders()).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(lost.chosen("a-service-of-some-length-8998")).isNotNull();
    assertThat(first.malformedFrames()).isZero();
  }
}
