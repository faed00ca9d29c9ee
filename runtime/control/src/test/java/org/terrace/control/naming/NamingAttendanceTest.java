package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Await;

/** A naming process knows from its start on how many of those that were named are there. */
@Tag("real-processes")
@Tag("untimed")
class NamingAttendanceTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private static InetSocketAddress free(String host) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(host, 0));
      return (InetSocketAddress) probe.getLocalSocketAddress();
    }
  }

  private static void await(NamingServer server, int present) {
    assertThat(Await.until(SOON, () -> server.attendance().present() == present))
        .as("%d naming processes are seen", present)
        .isTrue();
  }

  @Test
  void itCountsThoseThatComeAndGo() throws Exception {
    InetSocketAddress one = free("127.63.7.11");
    InetSocketAddress two = free("127.63.7.12");
    InetSocketAddress three = free("127.63.7.13");
    try (NamingServer first =
        NamingServer.open(one, List.of(two, three), directory.resolve("one"))) {
      assertThat(first.attendance().expected()).isEqualTo(3);
      await(first, 1);
      try (NamingServer second =
          NamingServer.open(two, List.of(one, three), directory.resolve("two"))) {
        await(first, 2);
        await(second, 2);
      }
      await(first, 1);
    }
  }
}
