package org.terrace.protocols;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.terrace.testing.TcpCapture;

/**
 * Pages of one connection, each answered by several segments.
 *
 * @param sequences the client's first sequence number, and three times the server's
 * @param requests how many pages it asks for, one in each millisecond
 * @param isOpened whether the capture shows the connection from its first packet to its last
 */
record Pages(
    String path,
    String client,
    int clientPort,
    String server,
    int sequences,
    int requests,
    boolean isOpened) {
  /** The pages of a connection that says no other number. */
  static final int REQUESTS = 12;

  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;

  Pages(String path, int clientPort, int sequences) {
    this(path, "10.0.0.1", clientPort, "10.0.0.2", sequences, REQUESTS, true);
  }

  Pages(String path, int sequences) {
    this(path, 40_000, sequences);
  }

  /** Between other hosts. */
  Pages between(String otherClient, String otherServer) {
    return new Pages(path, otherClient, clientPort, otherServer, sequences, requests, isOpened);
  }

  /** So many of them. */
  Pages times(int count) {
    return new Pages(path, client, clientPort, server, sequences, count, isOpened);
  }

  /** As a capture shows them that begins later than the connection, and ends before it. */
  Pages joinedMidway() {
    return new Pages(path, client, clientPort, server, sequences, requests, false);
  }

  /** A capture of them that begins so much later than that of others. */
  byte[] recorded(long laterNanos) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      TcpCapture.Connection connection = capture.connection(client, clientPort, server, 8080);
      connection.lose(true, sequences);
      connection.lose(false, sequences / 3);
      if (isOpened) {
        connection.open(START + laterNanos);
      }
      for (int i = 1; i <= requests; i++) {
        long at = START + i * MILLIS + laterNanos;
        connection.send(true, at, "GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n");
        connection.send(
            false,
            at + MILLIS / 4,
            "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n" + "x".repeat(4_000));
        connection.acknowledge(true, at + MILLIS / 2);
      }
      if (isOpened) {
        connection.close(START + (requests + 1) * MILLIS + laterNanos);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}
