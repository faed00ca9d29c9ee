package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** A real server with little memory for its pages, and a reader who does not read. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class UnreadPagesTest {
  private static final int PAGE_BYTES = 48 << 20;

  private static Socket ask(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    String request = "GET / HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String status(Socket socket) throws IOException {
    InputStream input = socket.getInputStream();
    return new String(input.readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
  }

  private static void assertRefused(int port) throws IOException {
    try (Socket second = ask(port)) {
      assertThat(new String(second.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 503")
          .contains("Retry-after: 2", "Other answers take the memory that there is.");
    }
  }

  @Test
  void whereReadersHoldTheMemoryOthersAreToldToComeAgain() throws Exception {
    byte[] page = new byte[PAGE_BYTES];
    PageHandler handler = _ -> PageResponse.of(200, "text/plain", page);
    try (PageServer server =
        PageServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            handler,
            new AnswerMemory(PAGE_BYTES + PAGE_BYTES / 2),
            TimeSource.system())) {
      try (Socket first = ask(server.port())) {
        assertThat(status(first)).isEqualTo("HTTP/1.1 200");
        assertRefused(server.port());
      }

      assertThat(
              Await.until(
                  Duration.ofSeconds(60),
                  () -> {
                    try (Socket again = ask(server.port())) {
                      return status(again).equals("HTTP/1.1 200");
                    } catch (IOException e) {
                      return false;
                    }
                  }))
          .isTrue();
    }
  }
}
