package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.Style;
import org.terrace.control.launcher.Launcher;
import org.terrace.control.link.Link;
import org.terrace.control.link.LinkServer;
import org.terrace.control.naming.NamingServer;
import org.terrace.control.naming.Registrar;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/** A manager counts those whose heartbeats it hears, whatever connections say. */
@Tag("real-processes")
@Tag("untimed")
class ManagerAttendanceTest {
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("127.63.8.1", 0);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long BEAT_MILLIS = 20;

  @TempDir private Path directory;
  private final Queue<String> journal = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean beating = new AtomicBoolean(true);

  /** Takes connections as the kernel of a stopped process does, and ends none. */
  private static void takeAll(Socket socket) throws IOException {
    try (Link link = Link.accept(socket, ControlSecret.none())) {
      while (true) {
        link.receive();
      }
    }
  }

  private ManagerServer manager(NamingServer naming, LinkServer other) {
    return new ManagerServer(
        handler -> LinkServer.open(ANYWHERE, ControlSecret.none(), handler),
        ControlSecret.none(),
        bound ->
            ManagerOptions.of(
                new Endpoint("manager1", "manager", bound.getHostString(), bound.getPort(), "none"),
                "k",
                0,
                List.of(ServiceOptions.of("seats", Style.WARM_PASSIVE, 1))),
        List.of(other.address()),
        notices ->
            new Registrar(
                List.of(naming.address()),
                ControlSecret.none(),
                Seeds.generator(1),
                List.of("seats"),
                notices),
        new NoLauncher(),
        journal::add);
  }

  private static void await(ManagerServer manager, int present) {
    assertThat(Await.until(LIMIT, () -> manager.attendance().present() == present))
        .as("%d managers are seen", present)
        .isTrue();
  }

  private void beat(Link link) {
    if (beating.get()) {
      link.send(ManagerMessage.encode(new ManagerMessage.Beat(0)));
    }
  }

  private static final class NoLauncher implements Launcher {
    @Override
    public void launch(String service, String replica, Consumer<Ended> ended) {
      ended.accept(new Ended(service, replica, "is not started by this test"));
    }

    @Override
    public void kill(String replica, long pid) {
      // Nothing was started.
    }

    @Override
    public void close() {
      // Nothing to end.
    }
  }

  @Test
  void whoeverFallsSilentIsNotThereThoughItsConnectionsLast() throws Exception {
    try (NamingServer naming = NamingServer.open(ANYWHERE, List.of(), directory.resolve("names"));
        LinkServer other =
            LinkServer.open(ANYWHERE, ControlSecret.none(), ManagerAttendanceTest::takeAll);
        ManagerServer manager = manager(naming, other)) {
      await(manager, 1);
      try (Link link = Link.connect(manager.address(), LIMIT, ControlSecret.none());
          ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor()) {
        link.send(ManagerMessage.encode(new ManagerMessage.PeerHello("manager2")));
        var _ = beats.scheduleAtFixedRate(() -> beat(link), 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
        await(manager, 2);
        beating.set(false);
        await(manager, 1);
        assertThat(link.isOpen()).isTrue();
        beating.set(true);
        await(manager, 2);
        beats.shutdownNow();
      }
      await(manager, 1);
    }
    assertThat(journal)
        .contains(
            "1 of 2 managers are there: nobody takes over from this one",
            "all 2 managers are there");
  }
}
