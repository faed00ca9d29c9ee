package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.terrace.testing.TcpCapture;

/** Captures of as many requests as a test of long readings wants. Stateless. */
final class LargeCapture {
  static final long START = 1_790_000_000_000_000_000L;
  private static final long MICROS = 1_000L;
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private LargeCapture() {}

  /** A file in that folder, of one connection. */
  static Path in(Path folder, int requests) throws IOException {
    Path file = folder.resolve("large.pcap");
    try (TcpCapture capture = TcpCapture.to(file)) {
      TcpCapture.Connection connection = capture.connection("10.0.0.1", 40_000, "10.0.0.2", 8080);
      connection.open(START);
      for (long i = 1; i <= requests; i++) {
        connection.send(true, START + i * 100 * MICROS, GET);
        connection.send(false, START + (i * 100 + 50) * MICROS, OK);
      }
    }
    return file;
  }
}
