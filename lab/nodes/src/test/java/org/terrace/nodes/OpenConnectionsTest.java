package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-processes")
class OpenConnectionsTest {
  private static final int BUSY = 4;
  private static final int LOOKS = 200;

  @Test
  void aConnectionOfAProcessWithItselfIsNone() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.15.7.1"));
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      String place = "127.15.7.1:" + server.getLocalPort();

      assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
      assertThat(OpenConnections.of(List.of(ProcessHandle.current().pid())))
          .noneMatch(each -> each.toString().contains(place));
    }
  }

  /** A file that is closed while they are listed hides none of those behind it. */
  @Test
  void aConnectionIsSeenWhileTheProcessOpensAndClosesFiles() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    CountDownLatch open = new CountDownLatch(BUSY);
    for (int i = 0; i < BUSY; i++) {
      busy.add(Thread.ofPlatform().start(() -> openAndClose(open, over)));
    }
    open.await();
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.15.7.2"));
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      String place = "127.15.7.2:" + server.getLocalPort();
      for (int look = 0; look < LOOKS; look++) {
        assertThat(OpenConnections.of(List.of(ProcessHandle.current().pid())))
            .as("look %d of %s", look, client)
            .anyMatch(each -> each.toString().contains(place));
      }
    } finally {
      over.set(true);
      for (Thread each : busy) {
        each.join();
      }
    }
  }

  private static void openAndClose(CountDownLatch open, AtomicBoolean over) {
    while (!over.get()) {
      try (InputStream _ = Files.newInputStream(Path.of("/dev/null"))) {
        open.countDown();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
