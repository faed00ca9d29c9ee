package org.terrace.control.manager;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.ServiceReference;
import org.terrace.control.link.Link;
import org.terrace.control.naming.Addresses;
import org.terrace.control.naming.NamingClient;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.TimeSource;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** A replica whose earlier connection ends after it has connected again. */
@Tag("real-processes")
class ReconnectedReplicaTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Longer than the end of a connection takes to be noticed and told. */
  private static final Duration LATER = Duration.ofMillis(300);

  /** Half of the silence after which a replica is declared failed. */
  private static final Duration LONG_SILENCE = Duration.ofMillis(200);

  private static final int ATTEMPTS_MAX = 10;

  @TempDir private Path directory;

  /** Signs of life over a connection, and then over a later one. */
  private static final class Beats implements AutoCloseable {
    private static final long PERIOD_MILLIS = 20;
    private static final byte[] BEAT = ManagerMessage.encode(new ManagerMessage.Beat(0));

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private volatile @Nullable Link link;
    private volatile long lastNanos = TimeSource.system().elapsedNanos();
    private volatile boolean late;

    Beats() {
      var _ = thread.scheduleWithFixedDelay(this::beat, 0, PERIOD_MILLIS, MILLISECONDS);
    }

    private void beat() {
      late = wereLate();
      lastNanos = TimeSource.system().elapsedNanos();
      Link now = link;
      if (now != null) {
        now.send(BEAT);
      }
    }

    void goOnOver(Link next) {
      link = next;
    }

    /** Whether there was a silence in which a replica could be taken for one that hangs. */
    boolean wereLate() {
      return late || TimeSource.system().elapsedNanos() - lastNanos > LONG_SILENCE.toNanos();
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }

  @Test
  void theEndOfAnEarlierConnectionDeclaresNobodyFailed() throws Exception {
    try (Processes processes = new Processes()) {
      String naming =
          processes.start(
              "naming",
              Processes.java(
                  NamingProcess.class,
                  "--listen",
                  "127.63.5.1:0",
                  "--directory",
                  directory.resolve("names").toString()),
              directory.resolve("naming.log"));
      InetSocketAddress manager =
          Addresses.parseOne("manager", processes.start("manager", manager(naming), log()));
      try (NamingClient names = NamingClient.open(naming)) {
        boolean seen = false;
        for (int attempt = 1; !seen && attempt <= ATTEMPTS_MAX; attempt++) {
          seen = isSeenToStay("seats-9-" + attempt, manager, names, processes);
        }
        assertThat(seen).as("an attempt in which the signs of life were regular").isTrue();
      }
    }
  }

  private List<String> manager(String naming) {
    return Processes.java(
        ManagerProcess.class,
        "--managers",
        "127.63.5.2:0",
        "--naming",
        naming,
        "--service",
        "seats",
        "--degree",
        "1",
        "--directory",
        directory.resolve("replicas").toString(),
        "--command",
        "false {name}");
  }

  private Path log() {
    return directory.resolve("manager.log");
  }

  /**
   * Connects a replica twice, ends the first connection and looks whether the replica is there.
   *
   * @return false if it may be gone because its signs of life did not come in time
   */
  private static boolean isSeenToStay(
      String name, InetSocketAddress manager, NamingClient names, Processes processes)
      throws IOException {
    Endpoint endpoint = new Endpoint(name, "terrace", "127.0.0.1", 1, "");
    try (Beats beats = new Beats();
        Link second = connectTwiceAndEndTheFirst(manager, endpoint, beats, names)) {
      assertThat(Await.until(LATER, () -> false)).isFalse();

      List<Endpoint> after = listed(names);
      String state = processes.ask("services");
      String replica = "\"replica\":\"" + name + "\",";
      assertThat(state).doesNotContain(replica + "\"verdict\":\"crashed\"");
      if (beats.wereLate() || state.contains(replica + "\"verdict\":\"hung\"")) {
        return false;
      }
      assertThat(second.isOpen()).isTrue();
      assertThat(after).containsExactly(endpoint);
      assertThat(state).contains(replica + "\"role\":\"primary\"");
      return true;
    }
  }

  private static Link connectTwiceAndEndTheFirst(
      InetSocketAddress manager, Endpoint endpoint, Beats beats, NamingClient names)
      throws IOException {
    try (Link first = connect(manager, endpoint)) {
      // One that says nothing more while the manager does not lead yet is taken for dead.
      beats.goOnOver(first);
      assertThat(
              Await.until(LIMIT, () -> beats.wereLate() || listed(names).equals(List.of(endpoint))))
          .as("the replica is in the reference")
          .isTrue();
      Link second = connect(manager, endpoint);
      beats.goOnOver(second);
      second.endAfterSilenceOf(LIMIT);
      assertThat(ManagerMessage.decode(second.receive()))
          .as("the word of the manager that it knows the second connection")
          .isInstanceOf(ManagerMessage.Assigned.class);
      return second;
    }
  }

  private static Link connect(InetSocketAddress manager, Endpoint endpoint) throws IOException {
    Link link = Link.connect(manager, LIMIT, ControlSecret.none());
    link.send(ManagerMessage.encode(new ManagerMessage.ReplicaHello("seats", endpoint, 1L << 40)));
    return link;
  }

  private static List<Endpoint> listed(NamingClient names) {
    return names.resolve("seats").map(ServiceReference::endpoints).orElse(List.of());
  }
}
