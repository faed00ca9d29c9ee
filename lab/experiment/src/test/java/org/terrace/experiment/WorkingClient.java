package org.terrace.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection to a {@link WorkingServer}. Confined to one thread at a time. */
final class WorkingClient implements AutoCloseable {
  private static final int ANSWER_BYTES = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".length();

  private final Socket socket;

  /**
   * Connects.
   *
   * @param from the address of this end
   */
  WorkingClient(String from, String to, int port) throws IOException {
    socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    socket.connect(new InetSocketAddress(InetAddress.getByName(to), port), 10_000);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
  }

  /** Asks for a path and waits for the answer. */
  void get(String path) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: server\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
    InputStream input = socket.getInputStream();
    if (input.readNBytes(ANSWER_BYTES).length < ANSWER_BYTES) {
      throw new IOException("the server closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
