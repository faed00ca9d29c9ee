package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;

/** Readers of a large report, of a server in a process of its own with a small heap. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class SlowReadersTest {
  private static final int READERS = 6;
  private static final long REPORT_BYTES = 200L << 20;

  @TempDir Path served;

  /** Asks for a page, and reads the first line of the answer alone. */
  private static String begin(Socket socket, String target) throws IOException {
    socket.setSoTimeout(60_000);
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n"
                .formatted(target, socket.getPort())
                .getBytes(StandardCharsets.US_ASCII));
    StringBuilder line = new StringBuilder();
    InputStream input = socket.getInputStream();
    for (int one = input.read(); one >= 0 && one != '\r'; one = input.read()) {
      line.append((char) one);
    }
    return line.toString();
  }

  @Test
  void severalSlowReadersOfALargeReportHoldUpNoOther() throws Exception {
    Path report = SampleResults.analysis(served.resolve("good"), 2_000).resolve("report.html");
    try (RandomAccessFile sparse = new RandomAccessFile(report.toFile(), "rw")) {
      sparse.setLength(REPORT_BYTES);
    }
    Process server =
        new ProcessBuilder(
                JavaCommand.small(List.of("-Xmx64m"), ServedProgram.class, served.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<Socket> slow = new ArrayList<>();
    try (BufferedReader said = server.inputReader()) {
      int port = Integer.parseInt(said.readLine());
      for (int reader = 0; reader < READERS; reader++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        slow.add(socket);
        assertThat(begin(socket, "/report/good")).isEqualTo("HTTP/1.1 200 OK");
      }
      assertThat(RawHttp.get(port, "/result/good").status()).isEqualTo(200);
      try (Socket quick = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(begin(quick, "/report/good")).isEqualTo("HTTP/1.1 200 OK");
        long read = quick.getInputStream().transferTo(OutputStream.nullOutputStream());
        assertThat(read).isBetween(REPORT_BYTES, REPORT_BYTES + 4_096);
      }
      assertThat(server.isAlive()).isTrue();
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
      server.destroyForcibly();
      server.onExit().join();
    }
  }
}
