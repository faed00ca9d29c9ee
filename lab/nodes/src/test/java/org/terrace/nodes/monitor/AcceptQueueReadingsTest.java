package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.ManualTimeSource;

/** Readings of an accept queue from what the kernel tells of its socket. */
class AcceptQueueReadingsTest {
  private static final InetAddress ADDRESS = InetAddress.ofLiteral("127.0.0.1");
  private static final int PORT = 8080;
  private static final long SECOND = 1_000_000_000L;

  private final AcceptQueue queue =
      new AcceptQueue(new InetSocketAddress(ADDRESS, PORT), new ManualTimeSource(0));
  private long readings;

  private Map<String, Double> next(long queued, long dropped, long overflows) {
    readings++;
    return queue.next(
        Optional.of(List.of(new ListeningSocket(7, ADDRESS, PORT, queued, 9, dropped))),
        overflows,
        readings * SECOND);
  }

  /** The reset of a connection that is gone finds the socket that listens, and is dropped. */
  @Test
  void aSegmentThatAnIdleSocketDropsDoesNotMakeItsQueueFull() {
    next(0, 3, 5);

    assertThat(next(0, 4, 5))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.0, Resources.ACCEPT_QUEUE_DROPS, 1.0));
    assertThat(next(2, 6, 5)).containsEntry(Resources.ACCEPT_QUEUE, 0.2);
  }

  @Test
  void aQueueThatOverflowedBetweenTwoReadingsWasFull() {
    next(0, 3, 5);

    assertThat(next(0, 4, 6)).containsEntry(Resources.ACCEPT_QUEUE, 1.0);
    assertThat(next(0, 4, 7)).as("another's").containsEntry(Resources.ACCEPT_QUEUE, 0.0);
  }

  @Test
  void aQueueThatWasHalfFullAtEitherReadingAndDroppedWasFull() {
    next(0, 0, 0);

    assertThat(next(6, 1, 0)).containsEntry(Resources.ACCEPT_QUEUE, 1.0);
    assertThat(next(0, 2, 0)).containsEntry(Resources.ACCEPT_QUEUE, 1.0);
    assertThat(next(0, 3, 0)).containsEntry(Resources.ACCEPT_QUEUE, 0.0);
  }

  @Test
  void aKernelThatFailedToTellOnceIsNotOneThatNeverTells() {
    queue.next(Optional.empty(), 0, 0);
    assertThat(queue.isRefused()).isTrue();

    next(0, 0, 0);
    queue.next(Optional.empty(), 0, SECOND);
    assertThat(queue.isRefused()).isFalse();
  }

  @Test
  void overflowsAreThoseOfTheKernelsTable(@TempDir Path directory) throws IOException {
    Path table = directory.resolve("netstat");
    Files.writeString(
        table,
        """
        TcpExt: SyncookiesSent ListenOverflows ListenDrops
        TcpExt: 1 17 18
        IpExt: InNoRoutes ListenOverflows
        IpExt: 2 3
        """);
    assertThat(AcceptQueue.overflows(table)).isEqualTo(17);
    assertThat(AcceptQueue.overflows(directory.resolve("none"))).isZero();
    Files.writeString(table, "TcpExt: SyncookiesSent\nTcpExt: 1\n");
    assertThat(AcceptQueue.overflows(table)).isZero();
  }
}
