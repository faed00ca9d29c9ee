package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** The accept queue of a real server that takes no connection. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class AcceptQueueTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int BACKLOG = 3;

  @Test
  void theQueueOfAServerThatDoesNotAcceptFillsAndEmptiesAsItIsTaken() throws IOException {
    InetAddress address = InetAddress.ofLiteral("127.0.0.1");
    List<SocketChannel> clients = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, BACKLOG, address)) {
      InetSocketAddress place = new InetSocketAddress(address, server.getLocalPort());
      AcceptQueue queue = new AcceptQueue(place, TimeSource.system());

      assertThat(queue.next()).isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.0));

      clients.add(SocketChannel.open(place));
      clients.add(SocketChannel.open(place));
      assertThat(Await.until(SOON, () -> share(queue) == 0.5)).isTrue();

      // More than the backlog and one: those do not open, and try again.
      for (int client = 0; client < 2 * BACKLOG; client++) {
        SocketChannel channel = SocketChannel.open();
        clients.add(channel);
        channel.configureBlocking(false);
        channel.connect(place);
      }
      assertThat(
              Await.until(
                  SOON, () -> queue.next().getOrDefault(Resources.ACCEPT_QUEUE_DROPS, 0.0) > 0))
          .isTrue();
      assertThat(share(queue)).isEqualTo(1);

      for (SocketChannel outside : clients.subList(BACKLOG + 1, clients.size())) {
        outside.close();
      }
      for (int taken = 0; taken <= BACKLOG; taken++) {
        server.accept().close();
      }
      assertThat(Await.until(SOON, () -> share(queue) == 0)).isTrue();
      assertThat(queue.isRefused()).isFalse();
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
  }

  @Test
  void whereNobodyListensThereIsNoQueue() throws IOException {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      port = server.getLocalPort();
    }
    AcceptQueue queue =
        new AcceptQueue(
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), TimeSource.system());

    assertThat(queue.next()).isEmpty();
    assertThat(queue.isRefused()).isFalse();
  }

  private static double share(AcceptQueue queue) {
    return queue.next().getOrDefault(Resources.ACCEPT_QUEUE, -1.0);
  }
}
