package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** The memory that answers share, and a real server whose readers do not read. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class MemoryBudgetTest {
  private static final int PAGE_BYTES = 48 << 20;

  @Test
  void whatIsGivenBackIsThereAgainOnce() {
    MemoryBudget memory = new MemoryBudget(600);
    MemoryBudget.Held held = memory.takeToRead(60);

    assertThat(memory.hasToRead(40)).isTrue();
    assertThat(memory.hasToRead(41)).isFalse();
    assertThatThrownBy(() -> memory.takeToRead(41)).isInstanceOf(MemoryBudget.Exhausted.class);
    assertThatThrownBy(() -> memory.takeToRead(101))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("start terrace serve with more (TERRACE_JAVA_OPTIONS=-Xmx2m)");
    held.close();
    held.close();
    memory.takeToRead(100).close();
    assertThatThrownBy(() -> memory.takeToRead(101)).isInstanceOf(TerraceException.class);
  }

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
            new MemoryBudget(PAGE_BYTES + PAGE_BYTES / 2),
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
