package org.terrace.control.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that has no thread for a connection loses that one alone. */
@Tag("real-processes")
@Tag("untimed")
class EnduringServerTest {
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("127.63.7.6", 0);
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int FAILURES = 3;

  @Test
  void theDoorStaysOpenWhenThereAreNoThreadsForAWhile() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (LinkServer server =
        LinkServer.openOnLoopbackOrSecret(
            ANYWHERE,
            work -> {
              if (asked.incrementAndGet() <= FAILURES) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return Thread.ofVirtual().unstarted(work);
            },
            socket -> socket.getOutputStream().write(1))) {
      for (int i = 0; i <= FAILURES; i++) {
        try (Socket socket = new Socket(ANYWHERE.getAddress(), server.address().getPort())) {
          socket.setSoTimeout(PATIENCE_MILLIS);
          assertThat(socket.getInputStream().read()).isEqualTo(i < FAILURES ? -1 : 1);
        }
      }
    }
  }
}
